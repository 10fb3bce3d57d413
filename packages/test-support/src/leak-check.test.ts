import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

/**
 * Runs a program that opens a resource while it watches for leaks, with pipes as output. Returns
 * the report.
 */
function watch(opening: string): string {
  const program = `
    import { spawn } from 'node:child_process';
    import { watchForLeaks } from ${JSON.stringify(import.meta.resolve('./leak-check.ts'))};
    const nothingLeft = watchForLeaks();
    ${opening}
    await new Promise((resolve) => setTimeout(resolve, 50));
    await nothingLeft({ timeoutMs: 100 }).then(() => console.log('nothing left'), (error) => console.log(String(error)));
    process.exit();`;
  const args = ['--conditions=source', '--input-type=module', '--eval', program];
  return spawnSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' }).stdout.trim();
}

test.each(["process.emitWarning('a warning');", "console.error('an error');"])(
  'the output streams of the process do not count as a leak: %s',
  (opening) => {
    expect(watch(opening)).toBe('nothing left');
  },
);

test('a child process and its pipes count as a leak', () => {
  expect(watch("spawn('sleep', ['5'], { stdio: ['pipe', 'ignore', 'ignore'] });")).toMatch(
    /left open: PipeWrap 1, ProcessWrap 1/,
  );
});
