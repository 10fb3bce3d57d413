/** Completion scripts by shell. Each gets the possible next words from `sluice complete`. */
export const scripts = {
  bash: `_sluice() {
  local IFS=$'\\n'
  COMPREPLY=($(sluice complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _sluice sluice
`,
  zsh: `#compdef sluice
_sluice() {
  local -a found
  found=("\${(@f)$(sluice complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
if [[ "$funcstack[1]" = _sluice ]]; then _sluice "$@"; else compdef _sluice sluice; fi
`,
  fish: `complete -c sluice -e
complete -c sluice -a '(set -l words (commandline -opc) (commandline -ct); sluice complete -- $words[2..] 2>/dev/null)'
`,
} as const;

export type Shell = keyof typeof scripts;
