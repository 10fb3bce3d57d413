import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@sluice/config';
import { findFreePort } from '@sluice/embedded';
import { memoryOptions, memoryVariables } from '../apps/cli/src/memory-options.ts';
import { track } from './children.ts';
import { rssMb } from './processes.ts';

/** A process of the built `sluice` command. It stops when this process exits. */
export interface Program {
  child: ChildProcess;
  port: number;
}

/** The main module of the built `sluice` command. */
export const programPath = fileURLToPath(new URL('../apps/cli/dist/main.js', import.meta.url));
const collectGarbage = new URL('./collect-garbage.ts', import.meta.url).href;

/**
 * Starts the built API or a built worker, as `sluice up` does; resolves when `/readyz` returns 200.
 *
 * @param settings environment variables; the settings of this process are not inherited
 * @param collectsGarbage whether `collectedRssMb` can measure the process
 */
export async function startProgram(
  app: 'api' | 'worker',
  settings: Readonly<Record<string, string>>,
  collectsGarbage = false,
): Promise<Program> {
  const port = await findFreePort();
  const child = track(
    fork(programPath, [app], {
      env: childEnvironment({
        ...memoryVariables(),
        ...settings,
        NODE_OPTIONS: '',
        [app === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
      }),
      execArgv: [...memoryOptions(), ...(collectsGarbage ? ['--expose-gc', '--import', collectGarbage] : [])],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  await untilReady(child, port);
  return { child, port };
}

/** Resolves to the resident memory of a process in MB after a garbage collection. */
export async function collectedRssMb(child: ChildProcess): Promise<number> {
  const collected = once(child, 'message');
  child.send('collect garbage');
  await collected;
  return rssMb(child.pid ?? 0);
}

/** Resolves when `/readyz` returns 200; throws if the process exits first. */
export async function untilReady(child: ChildProcess, port: number): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      async (response) => {
        await response.body?.cancel();
        return response.status;
      },
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the process exited with ${child.exitCode ?? child.signalCode}`);
}
