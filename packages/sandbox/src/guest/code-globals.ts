import { bufferClass, toBuffer } from './buffer.ts';
import { crypto } from './crypto.ts';
import { defineLazily } from './define.ts';
import { defineAll } from './language.ts';
import { structuredClone } from './structured-clone.ts';
import { TextDecoder, TextEncoder } from './text-coders.ts';

const network = 'is not available: user code has no network. Use an HTTP Request node';

/** Names from other environments, with the message for authors. */
const refused = new Map([
  ['require', 'is not available. Buffer, crypto, luxon, URL and $jmespath can be used without it'],
  ['fetch', network],
  ['XMLHttpRequest', network],
  ['WebSocket', network],
  ['axios', network],
]);
const refusedHelpers = 'is not available: user code has no network and no files. Use the nodes for them';

/** Defines the globals of user code beyond the expression language. */
export function defineCodeGlobals(): void {
  defineLazily({ Buffer: bufferClass });
  defineAll({ crypto, structuredClone, TextEncoder, TextDecoder, ...refusals(), helpers: helpers(), $helpers: helpers() });
}

function refusals(): Record<string, unknown> {
  const entries = [...refused].map(([name, reason]) => {
    const refuse = () => {
      throw new Error(`${name} ${reason}`);
    };
    return [name, refuse] as const;
  });
  return Object.fromEntries(entries);
}

function helpers(): unknown {
  return new Proxy(Object.create(null), {
    get: (_, name) => {
      if (name === 'prepareBinaryData') return prepareBinaryData;
      throw new Error(`this.helpers.${String(name)} ${refusedHelpers}`);
    },
  });
}

/** A file for `binary` of an item. It is stored when the code returns it. */
async function prepareBinaryData(content: unknown, fileName?: string, mimeType?: string): Promise<object> {
  return { data: toBuffer(content).toString('base64'), fileName, mimeType };
}
