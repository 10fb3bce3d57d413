import { AppError, credentialText, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { BSON, MongoClient } from 'mongodb';
import { certificatesOf } from '../shared/http/client-certificates.ts';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { loadMongo } from './mongo-library.ts';
import { type ConnectPort, loginTimeoutMs } from './open-socket.ts';
import { openSocksBridge } from './socks-bridge.ts';

/**
 * Allowed options of a connection string: those that only affect the protocol. Others may read
 * files, contact other hosts, or send data that identifies this machine.
 */
const harmlessOptions = new Set(
  [
    'appName',
    'authSource',
    'compressors',
    'connectTimeoutMS',
    'directConnection',
    'heartbeatFrequencyMS',
    'journal',
    'loadBalanced',
    'localThresholdMS',
    'maxIdleTimeMS',
    'maxPoolSize',
    'maxStalenessSeconds',
    'minPoolSize',
    'readConcernLevel',
    'readPreference',
    'readPreferenceTags',
    'replicaSet',
    'retryReads',
    'retryWrites',
    'serverSelectionTimeoutMS',
    'socketTimeoutMS',
    'srvMaxHosts',
    'srvServiceName',
    'ssl',
    'tls',
    'tlsAllowInvalidCertificates',
    'tlsAllowInvalidHostnames',
    'tlsInsecure',
    'w',
    'waitQueueTimeoutMS',
    'wtimeoutMS',
    'zlibCompressionLevel',
  ].map((name) => name.toLowerCase()),
);

/**
 * Mechanisms with a password or certificate. Other mechanisms request credentials from the cloud
 * that this process runs in.
 */
const harmlessMechanisms = new Set(['DEFAULT', 'SCRAM-SHA-1', 'SCRAM-SHA-256', 'PLAIN', 'MONGODB-X509']);

/** A connected client and its close function. */
export interface OpenMongo {
  client: MongoClient;
  /** Database name in the credential. */
  database: string;
  /** The library's serializer and types. */
  bson: typeof BSON;
  close(): Promise<void>;
}

/**
 * A connected MongoDB client, from a credential of type `mongoDb`. Connections to all members of a
 * replica set are guarded.
 */
export async function openMongo(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<OpenMongo> {
  const { MongoClient: Client, BSON: bson } = await loadMongo();
  const address = mongoAddress(data);
  const bridge = await openSocksBridge(ports, signal);
  let client: MongoClient | undefined;
  const close = async () => {
    await client?.close();
    await bridge.close();
  };
  try {
    client = new Client(address, {
      proxyHost: bridge.host,
      proxyPort: bridge.port,
      proxyUsername: bridge.user,
      proxyPassword: bridge.password,
      serverSelectionTimeoutMS: loginTimeoutMs,
      // Decompressed data would be unbounded, so this overrides the connection string.
      compressors: 'none',
      ...(flagOf(data, 'tls') && { tls: true, ...certificatesOf(data) }),
    });
    // Without this, the library would retry until its timeout.
    await Promise.race([client.connect(), bridge.failed]);
    return { client, bson, database: optionalCredentialText(data, 'database') || client.db().databaseName, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The credential's connection string. Throws `CREDENTIAL_UNUSABLE` for options that are not
 * allowed.
 */
function mongoAddress(data: JsonObject): string {
  if (optionalCredentialText(data, 'configurationType', 'connectionString') === 'values') return fromValues(data);
  const address = credentialText(data, 'connectionString').trim();
  if (!/^mongodb(\+srv)?:\/\//.test(address))
    throw unusable('the connection string must start with mongodb:// or mongodb+srv://');
  for (const [name, value] of new URLSearchParams(address.split('?').slice(1).join('?'))) {
    const allowed =
      name.toLowerCase() === 'authmechanism'
        ? harmlessMechanisms.has(value.toUpperCase())
        : harmlessOptions.has(name.toLowerCase());
    if (!allowed) throw unusable(`the connection string has an option that is not allowed: ${name.slice(0, 64)}`);
  }
  return address;
}

function fromValues(data: JsonObject): string {
  const [user, password] = ['user', 'password'].map((field) => encodeURIComponent(optionalCredentialText(data, field)));
  const login = user === '' ? '' : `${user}:${password}@`;
  const host = hostOf(data, 'localhost');
  const bracketed = host.includes(':') ? `[${host.replace(/^\[|\]$/g, '')}]` : host;
  if (/[/?#@,\\]/.test(host)) throw unusable('the field "host" is not a host name');
  const database = encodeURIComponent(optionalCredentialText(data, 'database'));
  return `mongodb://${login}${bracketed}:${numberOf(data, 'port', 27_017)}/${database}`;
}

function unusable(message: string): AppError {
  return new AppError({ code: 'CREDENTIAL_UNUSABLE', message });
}
