import {
  AppError,
  type CredentialPorts,
  type CredentialTestResult,
  type CredentialType,
  errorMessage,
  type JsonObject,
  ownProperty,
  redactSecrets,
  Slots,
} from '@sluice/node-sdk';
import { runOnThread, ThreadError, taskModule } from '../threads/work-threads.ts';
import { connectionTypes } from './connection-types.ts';
import type { CredentialAnswer, CredentialMessage } from './credential-message.ts';

const module = taskModule('credential-task', import.meta.url);

/** These connections mostly wait, so they have separate slots. */
const lane = { slots: new Slots(6), deadlineMs: 35_000 };

/** Credential fields that specify the server. */
const serverFields = ['host', 'hostname', 'port', 'brokers', 'connectionString'];

/** The owner of slots: unresponsive servers leave a slot for other servers. */
function serverOf({ typeName, data }: CredentialMessage): string {
  return JSON.stringify([typeName, ...serverFields.map((field) => ownProperty(data, field) ?? null)]);
}

/**
 * The type, with tests and renewals that connect to a server moved to a separate thread: the user
 * specifies the server, and a client library may hang or throw at bytes of another protocol. Types
 * that are not in `connectionTypes` cannot open connections.
 */
export function offLoop(type: CredentialType): CredentialType {
  if (!Object.hasOwn(connectionTypes, type.name)) return withoutConnections(type);
  const { test, renewal, name, secretFields } = type;
  return {
    ...type,
    ...(test && {
      test: async (data, ports, signal) => {
        try {
          return (await onThread({ typeName: name, ability: 'test', data }, ports, signal)) as CredentialTestResult;
        } catch (error) {
          signal.throwIfAborted();
          return { status: 'Error', message: redactSecrets(errorMessage(error), data, secretFields) };
        }
      },
    }),
    ...(renewal && {
      renewal: {
        ...renewal,
        renew: (data, ports, signal) =>
          onThread({ typeName: name, ability: 'renew', data }, ports, signal) as Promise<JsonObject>,
      },
    }),
  };
}

async function onThread(
  message: CredentialMessage,
  { connectGuard }: CredentialPorts,
  signal: AbortSignal,
): Promise<CredentialTestResult | JsonObject> {
  const allows = (host: string, addresses: readonly string[], port: number) => connectGuard.allows(host, addresses, port);
  try {
    const [answer] = await runOnThread<CredentialAnswer>(module, message, {
      owner: { id: serverOf(message), projectId: '' },
      signal,
      size: 0,
      lane,
      once: true,
      // The arguments have the guard's types: the thread only runs code of this package.
      host: (_method, ...args) => allows(...(args as Parameters<typeof allows>)),
    });
    if (answer && 'value' in answer) return answer.value;
    throw new AppError(answer?.failure ?? { code: 'CONNECTION_FAILED', message: 'no answer' });
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    throw new AppError({ code: 'CONNECTION_FAILED', message: `the server's response cannot be read: ${error.message}` });
  }
}

function withoutConnections(type: CredentialType): CredentialType {
  const { test } = type;
  if (!test) return type;
  const connect = () => Promise.reject(new Error(`the credential type ${type.name} opens no connections`));
  return { ...type, test: (data, ports, signal) => test(data, { ...ports, connect }, signal) };
}
