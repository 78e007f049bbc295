" Vim syntax file for exact cover problems in Knuth's .dlx format.
" docs/editors/README.md says how to install it.

if exists("b:current_syntax")
  finish
endif

syntax case match
syntax sync fromstart

" Words of the line of items. Of two that match at the same place Vim takes the later one.
syntax match dlxMistake /[^ \t\r\x0b\x0c]\+/ contained
syntax match dlxPrimary /[^ \t\r\x0b\x0c:|]\+\%([ \t\r\x0b\x0c]\|$\)\@=/ contained
syntax match dlxBounded /\%([0-9]*:\)\?[0-9]\+|[^ \t\r\x0b\x0c:|]\+\%([ \t\r\x0b\x0c]\|$\)\@=/ contained
  \ contains=dlxBound,dlxBoundedName
syntax match dlxBoundedName /|\@1<=[^ \t\r\x0b\x0c:|]\+/ contained
syntax match dlxBound /\%([0-9]*:\)\?[0-9]\+|/ contained
syntax match dlxSecondaries /[ \t\r\x0b\x0c]\@1<=|.*$/ contained contains=dlxBar,dlxSecondary,dlxSecondMistake
syntax match dlxSecondMistake /[^ \t\r\x0b\x0c]\+/ contained
syntax match dlxSecondary /[^ \t\r\x0b\x0c:|]\+\%([ \t\r\x0b\x0c]\|$\)\@=/ contained
syntax match dlxBar /\%([ \t\r\x0b\x0c]|[^|]*\)\@<!|/ contained

" Words of options.
syntax match dlxOptionMistake /[^ \t\r\x0b\x0c]\+/
syntax match dlxItem /[^ \t\r\x0b\x0c:|]\+\%([ \t\r\x0b\x0c]\|$\)\@=/
syntax match dlxColored /[^ \t\r\x0b\x0c:|]\+:\%([^ \t\r\x0b\x0c:|]\+\|[:|]\)\%([ \t\r\x0b\x0c]\|$\)\@=/
  \ contains=dlxColoredName,dlxColor
syntax match dlxColoredName /[^ \t\r\x0b\x0c:|]\+:\@=/ contained
syntax match dlxColor /:.*/ contained
syntax match dlxCost /|[0-9]\+\%([ \t\r\x0b\x0c]\|$\)\@=/

syntax match dlxComment /^[ \t\r\x0b\x0c]*|.*$/

" The first line that is no comment names the items; all others are options.
syntax region dlxHead start=/\%^/ end=/\%(^[ \t\r\x0b\x0c]*[^ \t\r\x0b\x0c|].*\)\@<=$/ keepend
  \ contains=dlxComment,dlxItems
syntax match dlxItems /^[ \t\r\x0b\x0c]*[^ \t\r\x0b\x0c|].*$/ contained transparent
  \ contains=dlxSecondaries,dlxPrimary,dlxBounded,dlxMistake

highlight default link dlxComment Comment
highlight default link dlxPrimary Function
highlight default link dlxBoundedName Function
highlight default link dlxBound Number
highlight default link dlxBar Operator
highlight default link dlxSecondary Identifier
highlight default link dlxItem Function
highlight default link dlxColoredName Identifier
highlight default link dlxColor String
highlight default link dlxCost Number
highlight default link dlxMistake Error
highlight default link dlxSecondMistake Error
highlight default link dlxOptionMistake Error

let b:current_syntax = "dlx"
