import { execFileSync } from 'node:child_process';
import { afterAll, describe, expect, test } from '@jest/globals';
import { eventually, longestBusy } from '@sluice/test-support';
import { itemsOf, makeScope, never } from '../../tests/scope-fixture.ts';
import { createSandbox } from '../index.ts';
import { pythonFlags } from './process.ts';

const sandbox = createSandbox({ timeoutMs: 120_000, memoryMb: 64, threads: 1 });
/** Short limits for code that never ends. */
const hasty = createSandbox({ timeoutMs: 1_000, memoryMb: 64, threads: 1 });
afterAll(() => Promise.all([sandbox.close(), hasty.close()]));

const scope = makeScope({ items: itemsOf({}) });

function run(source: string, by = sandbox, signal = never) {
  return by.runCode({ source, language: 'python', mode: 'allItems', scope }, signal);
}

/** Each attempt by name: Python statements that set `got` if they succeed. */
const attempts: Record<string, string> = {
  passwd: 'got = open("/etc/passwd").read()',
  hostFiles: 'import os; got = [name for name in os.listdir("/") if name in ("etc", "usr", "root", "var")]',
  proc: 'got = open("/proc/self/environ").read()',
  environment: 'import os; got = [key for key, value in os.environ.items() if "worker-secret" in key + value]',
  javaScriptNames: `
import js
got = [name for name in ("process", "require", "fetch", "global", "Buffer", "XMLHttpRequest", "WebSocket", "Worker", "queueMicrotask", "navigator") if hasattr(js, name)]`,
  evalInRealm: 'from pyodide.code import run_js; got = run_js("1 + 1")',
  functionConstructor: 'import js; got = js.Object.constructor("return 1")()',
  constructorOfProxy: 'import js; got = js.JSON.parse("{}").constructor.constructor("return this")()',
  asyncConstructor: 'import js; got = js.Object.getPrototypeOf(js.turn).constructor("return 1")()',
  importInRealm: 'import js; got = str((await js.refuseImport("node:fs")))',
  inputsOfRealm: 'import js; got = [name for name in ("wasm", "library", "random", "request", "prelude") if hasattr(js, name)]',
  pyodideInternals: 'import pyodide_js; got = pyodide_js._module.require',
  package: 'import pyodide_js; await pyodide_js.loadPackage("numpy"); import numpy; got = numpy',
  fetchOfPyodide: 'from pyodide.http import pyfetch; got = str(await pyfetch("http://127.0.0.1/"))',
  openUrl: 'from pyodide.http import open_url; got = open_url("http://127.0.0.1/").read()',
  socket: 'import socket; got = socket.create_connection(("127.0.0.1", 80), 1)',
  fork: 'import os; got = os.fork()',
  command: 'import subprocess; got = subprocess.run(["/bin/true"])',
  shell: 'import os; got = [] if os.system("true") != 0 else "ran"',
  thread: 'import threading; threading.Thread(target=print).start(); got = 1',
  kill: 'import os; os.kill(os.getppid(), 0); got = [] if os.getppid() <= 1 else os.getppid()',
};

test('no process is started before the first Python code', async () => {
  await sandbox.runCode({ source: 'return []', mode: 'allItems', scope }, never);
  expect(childrenOfThisProcess()).not.toContain('--permission');
});

test('Python cannot reach files, the environment, the network, processes, or objects of Node', async () => {
  process.env['PYTHON_TEST'] = 'worker-secret';
  const body = Object.entries(attempts).map(([name, source]) => {
    const lines = source.trim().replaceAll('\n', '\n  ');
    return `got = None\ntry:\n  ${lines}\nexcept BaseException as error:\n  got = None\nif got not in (None, []):\n  reached[${JSON.stringify(name)}] = str(got)[:200]`;
  });
  const { items } = await run(`reached = {}\n${body.join('\n')}\nreturn {"reached": reached}`);
  expect(items[0]?.json).toEqual({ reached: {} });
});

const testAsRoot = process.getuid?.() === 0 ? test : test.skip;

testAsRoot('Python of a worker that runs as root has a user that nothing else has', async () => {
  const controller = new AbortController();
  const running = run('while True: pass', sandbox, controller.signal);
  const uid = await eventually(() => uidOfPython() ?? false);
  controller.abort(new Error('canceled'));
  await expect(running).rejects.toThrow('canceled');
  expect(uid).toBe('65533');
});

test('a prototype, a module and a file that Python changes are restored in the next run', async () => {
  const probe = `
import js, json, os, builtins
state = {"file": os.path.exists("/home/user/left"), "name": hasattr(builtins, "left"), "realm": hasattr(js.Object.prototype, "left"), "module": hasattr(json, "left")}
open("/home/user/left", "w").write("x")
builtins.left = json.left = 1
js.Object.prototype.left = 1
return state`;
  const untouched = { file: false, name: false, realm: false, module: false };
  expect((await run(probe)).items[0]?.json).toEqual(untouched);
  expect((await run(probe)).items[0]?.json).toEqual(untouched);
});

test('the process itself cannot use files, network, processes or threads', () => {
  const program = `
import fs from 'node:fs';
import net from 'node:net';
import { spawnSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
const codeOf = (act) => { try { act(); return 'allowed'; } catch (error) { return error.code ?? error.name; } };
const codes = [
  () => fs.readFileSync('/etc/passwd'),
  () => fs.writeFileSync('/tmp/python-test', ''),
  () => spawnSync('true'),
  () => new Worker('0', { eval: true }),
  () => process.binding('fs'),
  () => new Function('return 1'),
].map(codeOf);
net.connect(9, '127.0.0.1').on('error', (error) => console.log(JSON.stringify([...codes, error.code])));`;
  const output = execFileSync(process.execPath, [...pythonFlags, '--eval', program], { env: {}, cwd: '/', encoding: 'utf8' });
  const denied = 'ERR_ACCESS_DENIED';
  expect(JSON.parse(output)).toEqual([denied, denied, denied, denied, denied, 'EvalError', denied]);
});

describe('limits', () => {
  test('code that never ends is stopped at the deadline', async () => {
    await expect(run('while True: pass', hasty)).rejects.toMatchObject({ code: 'CODE_TIMEOUT' });
  });

  test('a coroutine that never ends is stopped at the deadline', async () => {
    await expect(run('import asyncio\nawait asyncio.Event().wait()', hasty)).rejects.toMatchObject({ code: 'CODE_TIMEOUT' });
  });

  test('Python that uses too much memory gets a MemoryError', async () => {
    await expect(run('kept = []\nwhile True: kept.append(bytearray(1048576))')).rejects.toMatchObject({ code: 'CODE_MEMORY' });
  });

  test('items that exceed the memory of Python are rejected, without blocking the event loop', async () => {
    const list = Array.from({ length: 100_000 }, () => ({ a: null }));
    const items = (count: number) => itemsOf(...Array.from({ length: count }, () => ({ list })));
    const error = (count: number) =>
      sandbox
        .runCode(
          { source: 'return []', language: 'python', mode: 'allItems', scope: makeScope({ items: items(count) }) },
          never,
        )
        .catch((reason: unknown) => reason);
    // JSON of ten and of a hundred million characters.
    expect(await error(10)).toMatchObject({ code: 'CODE_MEMORY', message: 'MemoryError' });
    const errors: unknown[] = [];
    const turnMs = await longestBusy(async () => errors.push(await error(100)));
    expect(errors).toMatchObject([{ code: 'CODE_MEMORY', message: 'the code ran out of memory' }]);
    expect(turnMs).toBeLessThan(500);
  });

  test('memory outside Python counts as well', async () => {
    const source =
      'import js\nkept = []\nwhile True:\n  block = js.Uint8Array.new(16777216)\n  block.fill(1)\n  kept.append(block)';
    await expect(run(source)).rejects.toMatchObject({ code: 'CODE_MEMORY' });
  });

  test('a result that is too large is rejected, and printed text is truncated', async () => {
    await expect(run('return [{"a": "x" * 17_000_000}]')).rejects.toMatchObject({ message: 'the code returned too much data' });
    const { logs } = await run('for _ in range(2000): print("y" * 1000)\nreturn []');
    expect(logs.join('').length).toBeLessThanOrEqual(256 * 1024);
  });

  test('a reply that Python forges has the same limit of nesting as others', async () => {
    const source = 'import __main__\n__main__.dump = lambda value: "[" * 5000 + "]" * 5000\nreturn []';
    await expect(run(source)).rejects.toThrow('nested deeper');
  });

  test.each([
    ['import os\nos._exit(3)', 'the code exited Python: Program terminated with exit(3)'],
    ['import os\nos.abort()', 'Python crashed: unreachable'],
    [
      'import asyncio, os\nasync def end(): os._exit(0)\nasyncio.ensure_future(end())\nawait asyncio.sleep(1000)',
      'the code exited Python: Program terminated with exit(0)',
    ],
  ])('Python that exits or crashes fails the run long before its deadline: %j', async (source, message) => {
    await expect(run(source)).rejects.toMatchObject({ code: 'CODE_ERROR', message });
    expect(childrenOfThisProcess()).not.toContain('--permission');
  });

  test('an abort kills the process', async () => {
    const controller = new AbortController();
    const running = run('while True: pass', sandbox, controller.signal);
    controller.abort(new Error('canceled'));
    await expect(running).rejects.toThrow('canceled');
    expect(childrenOfThisProcess()).not.toContain('--permission');
  });
});

describe('endless code of one project', () => {
  const patient = createSandbox({ timeoutMs: 20_000, memoryMb: 64, threads: 1 });
  afterAll(() => patient.close());

  const runIn = (projectId: string, id: string, source: string, signal = never) => {
    const base = makeScope({ items: itemsOf({}) });
    const scope = { ...base, workflow: { ...base.workflow, id, projectId } };
    return patient.runCode({ source, language: 'python', mode: 'allItems', scope }, signal);
  };

  /** Calls `check` while these workflows loop; `ended` resolves when one of them ends. */
  async function whileLooping(ids: readonly string[], check: (ended: Promise<unknown>) => Promise<void>) {
    const controller = new AbortController();
    const loops = ids.map((id) => runIn('attacker', id, 'while True: pass', controller.signal));
    const settled = Promise.allSettled(loops);
    try {
      await eventually(() => uidOfPython() !== undefined);
      await check(Promise.race(loops.map((loop) => loop.catch(() => 'a loop'))));
    } finally {
      controller.abort(new Error('canceled'));
      await settled;
    }
  }

  test('has all processes while no other project uses Python', async () => {
    await whileLooping(['a', 'b'], async () => {
      await eventually(() => childrenOfThisProcess().match(/--permission/g)?.length === 2);
    });
  });

  test('leaves a process to other projects', async () => {
    await runIn('victim', 'v', 'return []');
    await whileLooping(['a', 'b', 'c'], async (ended) => {
      const quick = runIn('victim', 'v', 'return []').then(() => 'the other project');
      expect(await Promise.race([quick, ended])).toBe('the other project');
    });
  });
});

function uidOfPython(): string | undefined {
  const children = execFileSync('ps', ['-ww', '-o', 'uid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return /^\s*(\d+) .*--permission/m.exec(children)?.[1];
}

function childrenOfThisProcess(): string {
  return execFileSync('ps', ['-ww', '-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
}
