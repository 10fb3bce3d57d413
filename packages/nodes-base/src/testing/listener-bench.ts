import { AppError, type ErrorCode, type JsonObject, type NodeType } from '@sluice/node-sdk';
import { type FakeListener, type ListenOptions, listen } from '@sluice/node-sdk/testing';
import { realPorts } from './credential-ports.ts';

/** Listen options of a test; `credential` replaces the bench's own. */
export type BenchOptions = ListenOptions & { credential?: JsonObject };

/** Listeners of a test file, without network restrictions. */
interface ListenerBench {
  start(options: ListenOptions): Promise<FakeListener>;
  /** For `afterEach`, before their server is closed. */
  closeListeners(): Promise<void>;
  /** For `afterAll`. */
  close(): Promise<void>;
}

export function listenerBench(type: NodeType): ListenerBench {
  const ports = realPorts();
  const listeners: FakeListener[] = [];
  return {
    async start(options) {
      const listener = await listen(type, { connect: ports.connect, ...options });
      listeners.push(listener);
      return listener;
    },
    async closeListeners() {
      for (const listener of listeners.splice(0)) await listener.close();
    },
    close: () => ports.close(),
  };
}

/** JSON of the items of each event. */
export function jsonOf({ events }: FakeListener): JsonObject[][] {
  return events.map(({ items }) => items.map(({ json }) => json));
}

/** For `ListenOptions.beforeCommit`: rejects every event. */
export function refuseWith(code: ErrorCode): () => never {
  return () => {
    throw new AppError({ code, message: 'no' });
  };
}
