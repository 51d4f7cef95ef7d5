import { Argument, Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { complete } from '../complete.ts';
import { exitCode } from '../exit-code.ts';

/** `errand completion`: a script for a shell; it asks `errand complete` for the words. */
export function completionCommand(context: CommandContext): Command {
  const { stdout } = context.terminal;
  return new Command('completion')
    .description('Print a script that completes errand commands in your shell.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  errand completion bash >> ~/.bashrc
  errand completion zsh > "\${fpath[1]}/_errand"
  errand completion fish > ~/.config/fish/completions/errand.fish`,
    )
    .action((shell: keyof typeof scripts) => {
      stdout.write(scripts[shell]);
      context.end(exitCode.ok);
    });
}

/** What the scripts call: the words typed so far, the last one unfinished; an answer a line. */
export function completeCommand(context: CommandContext): Command {
  const { terminal } = context;
  const command = new Command('complete').argument('[words...]');
  return command.allowUnknownOption().action(async (words: string[]) => {
    const program = command.parent ?? command;
    // What reads a vault is large, and most words need none of it.
    const found = await complete(program, words, async (kind, line) => {
      const { completionSource } = await import('../completion-source.ts');
      return completionSource(context)(kind, line);
    });
    terminal.stdout.write(found.map((word) => `${word}\n`).join(''));
    context.end(exitCode.ok);
  });
}

const scripts = {
  bash: `_errand() {
  local IFS=$'\\n' i word
  COMPREPLY=($(errand complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  for i in "\${!COMPREPLY[@]}"; do
    word="\${COMPREPLY[i]}"
    case "\${COMP_WORDS[COMP_CWORD]}" in
      \\"*) word="$(sed 's/[\\\\"\`$]/\\\\&/g' <<< "$word")" ;;
      \\'*) word="$(sed "s/'/'\\\\\\\\''/g" <<< "$word")" ;;
      *) printf -v word %q "$word" ;;
    esac
    COMPREPLY[i]="$word"
  done
  if [[ "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null || true; fi
}
complete -o default -F _errand errand
`,
  zsh: `#compdef errand
_errand() {
  local -a found
  found=("\${(@f)$(errand complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "\${found[1]}" == *= ]]; then compadd -S '' -a found
  elif [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
if [[ "$funcstack[1]" == "_errand" ]]; then _errand "$@"; else compdef _errand errand; fi
`,
  fish: `function __errand_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (errand complete -- $words[2..-1] 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c errand -f -a '(__errand_complete)'
`,
};
