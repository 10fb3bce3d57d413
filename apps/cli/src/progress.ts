import { processTerminal, type Terminal } from './terminal.ts';

/** Progress of a long command. */
export interface Progress {
  /** Prints above the progress bar. */
  readonly terminal: Terminal;
  update(done: number, total: number): void;
  stop(): void;
}

/** Shows a progress bar on standard error. Does nothing if that is not a terminal. */
export async function showProgress(label: string, terminal: Terminal): Promise<Progress> {
  if (terminal !== processTerminal || !process.stderr.isTTY)
    return { terminal, update: () => undefined, stop: () => undefined };
  const { default: progress } = await import('cli-progress');
  const format = `${label} {bar} {percentage} %  {value} of {total}  {eta_formatted} left`;
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
      bars.update(); // prints buffered lines
      bars.stop();
    },
  };
}
