import { afterAll, describe, test } from '@jest/globals';
import { watchForLeaks } from '@sluice/test-support';
import { serverOrSkip, type TestServer } from '@sluice/test-support/servers';

/**
 * Tests with a server that is started now and closed after them; skipped if the server is not
 * available on this machine. Fails if connections, processes, or timers are left open.
 */
export async function describeWith<Server extends TestServer>(
  name: string,
  start: () => Promise<Server>,
  tests: (server: Server) => void,
): Promise<void> {
  const leaks = watchForLeaks();
  const server = await serverOrSkip(name, start);
  if (server === undefined) {
    describe.skip(name, () => test('needs the server', () => {}));
    return;
  }
  describe(name, () => {
    tests(server);
    afterAll(async () => {
      await server.close();
      await leaks({ timeoutMs: 2_000 });
    });
  });
}
