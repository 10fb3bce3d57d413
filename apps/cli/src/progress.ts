import { processTerminal, type Terminal } from './terminal.ts';

/** The progress of long work. */
export interface Progress {
  /** Output while the work runs: a bar stays below it. */
  readonly terminal: Terminal;
  update(done: number, total: number): void;
  stop(): void;
}

/**
 * A bar on standard error, if that is a terminal; else nothing is shown. `terminal` is used unchanged
 * then.
 */
export async function showProgress(what: string, terminal: Terminal): Promise<Progress> {
  if (terminal !== processTerminal || !process.stderr.isTTY)
    return { terminal, update: () => undefined, stop: () => undefined };
  const { default: progress } = await import('cli-progress');
  const format = `${what} {bar} {percentage} %  {value} of {total}  {eta_formatted} left`;
  const bars = new progress.MultiBar({
    format,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    etaBuffer: 100,
  });
  const bar = bars.create(0, 0);
  const above = (text: string) => void bars.log(`${text}\n`);
  return {
    terminal: { line: process.stdout.isTTY ? above : terminal.line, warn: above },
    update(done, total) {
      bar.setTotal(total);
      bar.update(done);
    },
    stop() {
      bars.update(); // prints the lines that are still waiting
      bars.stop();
    },
  };
}
