//! Help, version, manual, completions.

use super::run::quadrille;

const COMMANDS: [&str; 5] = ["generate", "solve", "draw", "check", "puzzle"];

#[test]
fn help_goes_to_stdout_and_names_all_subcommands_and_statuses() {
    let help = quadrille("--help").exits(0).silently().stdout;
    for command in COMMANDS {
        assert!(help.contains(command), "{command} in {help}");
    }
    for status in 0..=4 {
        assert!(help.contains(&format!("  {status}  ")), "status {status} in {help}");
    }
    quadrille("-h").exits(0).silently();
    quadrille("help").exits(0).silently();
}

#[test]
fn every_subcommand_that_reads_has_help_with_examples() {
    for command in COMMANDS {
        let help = quadrille(&format!("{command} --help")).exits(0).silently().stdout;
        assert!(help.contains("Usage: quadrille "), "{help}");
        assert!(help.contains("Examples:"), "examples of {command}");
        quadrille(&format!("help {command}")).exits(0).prints(&help);
    }
}

#[test]
fn version_is_that_of_the_package() {
    quadrille("--version").exits(0).prints(concat!("quadrille ", env!("CARGO_PKG_VERSION"), "\n"));
    quadrille("-V").exits(0).prints(concat!("quadrille ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn there_are_completions_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = quadrille(&format!("completions {shell}")).exits(0).silently().stdout;
        for word in ["quadrille", "solve", "time-limit"] {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
}

#[test]
fn the_manual_page_tells_about_all_subcommands() {
    let page = quadrille("man").exits(0).silently().stdout;
    assert!(page.contains(".TH quadrille"), "{page}");
    for command in COMMANDS {
        assert!(page.contains(&format!("QUADRILLE {}", command.to_uppercase())), "{command}");
    }
}
