/** Output of commands. */
export interface Terminal {
  line(text: string): void;
  warn(text: string): void;
}

export const processTerminal: Terminal = {
  line: (text) => void process.stdout.write(`${text}\n`),
  warn: (text) => void process.stderr.write(`${text}\n`),
};

/** Escapes terminal control sequences, which names from users may contain. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, (character) =>
    JSON.stringify(character)
      .slice(1, -1)
      .replace(/^\P{ASCII}$/u, '?'),
  );
}
