/** Where the command speaks to people. */
export interface Terminal {
  line(text: string): void;
  warn(text: string): void;
}

export const processTerminal: Terminal = {
  line: (text) => void process.stdout.write(`${text}\n`),
  warn: (text) => void process.stderr.write(`${text}\n`),
};
