import { afterEach, describe, expect, test } from '@jest/globals';
import { outgoingPorts } from './outgoing-ports.ts';

let close: () => Promise<void>;
afterEach(() => close());

function guardOf(ssrfProtection: 'on' | 'off', ssrfAllow: string[] = []) {
  const outgoing = outgoingPorts({ ssrfProtection, ssrfAllow });
  close = outgoing.close;
  return outgoing.ports.http.guard;
}
/** Looks up a name through the guard. Resolves to an address or an error code. */
const lookedUp = (ssrfAllow?: string[]) =>
  new Promise((resolve) => {
    guardOf('on', ssrfAllow).lookup('localhost', { family: 4 }, (error, address) => {
      resolve(error ? (error as { code?: string }).code : address);
    });
  });

describe('the SSRF guard', () => {
  test('also checks URLs and names before the client is loaded', async () => {
    await expect(guardOf('on').check('http://127.0.0.1/')).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
    await expect(guardOf('on', ['127.0.0.1']).check('http://127.0.0.1/')).resolves.toBeUndefined();
    expect([await lookedUp(), await lookedUp(['localhost'])]).toEqual(['HTTP_BLOCKED', '127.0.0.1']);
  });

  test('blocks the service’s own endpoints even if the protection is off', async () => {
    const guarded = outgoingPorts({ ssrfProtection: 'off', ssrfAllow: [], ownEndpoints: [{ host: '127.0.0.1', port: 6379 }] });
    close = guarded.close;
    await expect(guarded.ports.http.guard.check('http://localhost:6379/')).rejects.toMatchObject({ code: 'HTTP_BLOCKED' });
    await expect(guarded.ports.http.guard.check('http://localhost:6380/')).resolves.toBeUndefined();
  });
});
