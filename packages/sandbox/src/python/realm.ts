/**
 * Script that prepares a bare realm for Pyodide, which then detects the shell of a JavaScript
 * engine: files by `readbuffer`, randomness by `os.system`, timers. Everything is built from
 * ECMAScript alone. `child.ts` calls `start`, `runCode` or `makeSnapshot`, and `turn`.
 */
export const realmSource = String.raw`'use strict';
(() => {
  const inputs = { request, prelude, imports };
  const files = new Map([
    ['pyodide.asm.wasm', Uint8Array.fromBase64(wasm)],
    ['python_stdlib.zip', Uint8Array.fromBase64(library)],
  ]);
  let randomText = random;
  const loaded = snapshot && Uint8Array.fromBase64(snapshot);
  for (const name of ['request', 'prelude', 'imports', 'wasm', 'library', 'random', 'snapshot']) delete globalThis[name];

  globalThis.read = () => '';
  globalThis.load = () => {};
  globalThis.readbuffer = (path) => {
    const name = path.split('/').at(-1);
    const file = files.get(name);
    if (!file) throw new Error('there is no file ' + name);
    files.delete(name);
    return file.buffer;
  };
  globalThis.refuseImport = async () => {
    throw new Error('modules cannot be imported');
  };
  globalThis.os = {
    system: (_command, [, line]) => {
      const count = Number(/head -c(\d+)/.exec(line)[1]);
      const length = Math.ceil(count / 3) * 4;
      if (length > randomText.length) throw new Error('the run has used up its random bytes');
      const bytes = Uint8Array.fromBase64(randomText.slice(0, length)).slice(0, count);
      randomText = randomText.slice(length);
      return bytes.toBase64();
    },
  };
  const startedAt = Date.now();
  globalThis.performance = { now: () => Date.now() - startedAt };
  globalThis.print = () => {};
  globalThis.console = { log: print, warn: print, error: print, info: print, debug: print };
  globalThis.TextDecoder = class {
    constructor(encoding = 'utf-8') {
      this.encoding = encoding;
    }
    decode(bytes = new Uint8Array()) {
      const isUtf16 = this.encoding.startsWith('utf-16');
      const view = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
      const codes = isUtf16 ? new Uint16Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)) : view;
      let text = '';
      for (let from = 0; from < codes.length; from += 8_192) text += String.fromCharCode(...codes.subarray(from, from + 8_192));
      return /^utf-?8$/i.test(this.encoding) ? decodeURIComponent(escape(text)) : text;
    }
  };
  globalThis.TextEncoder = class {
    encode(text = '') {
      return Uint8Array.from(unescape(encodeURIComponent(text)), (char) => char.charCodeAt(0));
    }
    encodeInto(text, target) {
      const bytes = this.encode(text);
      target.set(bytes);
      return { read: text.length, written: bytes.length };
    }
  };
  globalThis.AbortController = class {
    constructor() {
      this.signal = { aborted: false, reason: undefined, addEventListener() {}, removeEventListener() {} };
    }
    abort(reason) {
      Object.assign(this.signal, { aborted: true, reason });
    }
  };

  const timers = new Map();
  let timerCount = 0;
  globalThis.setTimeout = (run, ms = 0, ...args) => {
    timers.set(++timerCount, { run, args, at: Date.now() + Number(ms) });
    return timerCount;
  };
  globalThis.clearTimeout = (id) => void timers.delete(id);

  let output;
  globalThis.turn = () => {
    for (const [id, { run, args, at }] of [...timers]) {
      if (at > Date.now() || !timers.delete(id)) continue;
      run(...args);
    }
    const text = output;
    output = undefined;
    return text;
  };

  let python;
  globalThis.start = () => {
    loadPyodide({
      indexURL: '/',
      packageBaseUrl: '/',
      createPyodideModule,
      lockFileContents: {
        info: { abi_version: '2026_0', arch: 'wasm32', platform: 'emscripten_5_0_3', python: '3.14.2', version: '314.0.7' },
        packages: {},
      },
      env: { HOME: '/home/user' },
      ...(loaded ? { _loadSnapshot: loaded } : { _makeSnapshot: true }),
      stdout: print,
      stderr: print,
    }).then((loaded) => {
      python = loaded;
      python._api.on_fatal = fail;
      output = 'ready';
    }, () => {
      output = 'failed';
    });
  };
  globalThis.makeSnapshot = () => {
    python.runPython(inputs.imports);
    output = python.makeMemorySnapshot().toBase64();
  };
  globalThis.runCode = () => {
    python.globals.set('request_text', inputs.request);
    python.globals.set('search', search);
    python.runPythonAsync(inputs.prelude).then(
      (reply) => {
        output = String(reply);
      },
      (error) => {
        // The error follows its traceback.
        const message = String(error?.message ?? error).trim().split('\n').at(-1);
        output ??= JSON.stringify({ failure: { message, outOfMemory: error?.type === 'MemoryError' }, logs: [] });
      },
    );
  };

  /** After it exits (os._exit, os.abort, a crash), Python no longer responds. */
  function fail(error) {
    const isExit = error?.name === 'Exit';
    const message = (isExit ? 'the code exited Python: ' : 'Python crashed: ') + String(error?.message ?? error);
    output = JSON.stringify({ failure: { message }, logs: [] });
  }

  /** JMESPath over JSON strings; the library is loaded only if the code names it. */
  function search(data, expression) {
    return JSON.stringify(jmespath.search(JSON.parse(data), expression) ?? null);
  }
})();
0`;
