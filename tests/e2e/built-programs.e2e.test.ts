import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Files that importing the built module loads, relative to the root. */
async function filesOf(module: string): Promise<string[]> {
  const program = `
    import { registerHooks } from 'node:module';
    const files = [];
    registerHooks({ load: (url, context, next) => (url.startsWith('file:') && files.push(url), next(url, context)) });
    await import(process.argv[1]);
    process.stdout.write(JSON.stringify(files), () => process.exit());`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program, module], {
    cwd: root,
  });
  return (JSON.parse(stdout) as string[]).map((url) => fileURLToPath(url).replace(root, ''));
}

// Add a library that is new at startup to the list `bundled` of tools/build.ts.
test.each([
  ['the API', './apps/api/dist/index.js', 20],
  ['a worker', './apps/worker/dist/index.js', 20],
  ['a work thread', './packages/nodes-base/dist/threads/work-thread.js', 2],
])('%s loads only a few files at startup', async (_, module, limit) => {
  const files = await filesOf(module);
  expect(files[0]).toBe(module.slice(2));
  if (files.length > limit) throw new Error(`${files.length} files: ${files.join(', ')}`);
});

test.each(['api', 'worker'])('the built %s starts without loading the fetch client of Node', async (app) => {
  const program = `
    await import(process.argv[1]);
    const clients = process.moduleLoadList.filter((name) => name.includes('undici'));
    process.stdout.write(JSON.stringify(clients), () => process.exit());`;
  const args = ['--input-type=module', '--eval', program, `./apps/${app}/dist/index.js`];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root });
  expect(stdout).toBe('[]');
});

test('error classes keep their names, which are stored, even if a chunk contains two classes of the same name', async () => {
  const program = `
    const { NodeApiError, NodeOperationError } = await import('./packages/node-sdk/dist/index.js');
    await import('./packages/n8n-compat/dist/index.js');
    console.log(new NodeApiError('a').name, new NodeOperationError('b').name);
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
  expect(stdout).toBe('NodeApiError NodeOperationError\n');
});
