import { AppError, credentialText, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { MongoClient } from 'mongodb';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs } from './open-socket.ts';
import { openSocksBridge } from './socks-bridge.ts';

/**
 * Options of a connection string that only say how to speak with the server. All others are refused: some read files, ask other hosts,
 * or send on what identifies this machine.
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

/** By name and password or certificate; others ask the cloud that this process runs in. */
const harmlessMechanisms = new Set(['DEFAULT', 'SCRAM-SHA-1', 'SCRAM-SHA-256', 'PLAIN', 'MONGODB-X509']);

/** A connected client with what it needs to go. */
export interface OpenMongo {
  client: MongoClient;
  /** Name of the credential's database. */
  database: string;
  close(): Promise<void>;
}

/** A connected client of MongoDB, from a credential of type `mongoDb`. All its connections, to each member of a replica set, are guarded. */
export async function openMongo(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<OpenMongo> {
  const { MongoClient: Client } = await import('mongodb');
  const address = mongoAddress(data);
  const bridge = await openSocksBridge(ports, signal);
  const client = new Client(address, {
    proxyHost: bridge.host,
    proxyPort: bridge.port,
    proxyUsername: bridge.user,
    proxyPassword: bridge.password,
    serverSelectionTimeoutMS: loginTimeoutMs,
    ...(flagOf(data, 'tls') && { tls: true, ...certificatesOf(data) }),
  });
  const close = async () => {
    await client.close();
    await bridge.close();
  };
  try {
    // The library itself would go on trying until its time is up.
    await Promise.race([client.connect(), bridge.failed]);
    return { client, database: optionalCredentialText(data, 'database') || client.db().databaseName, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The connection string of a credential. Throws `CREDENTIAL_UNUSABLE` for options that are not harmless. */
function mongoAddress(data: JsonObject): string {
  if (optionalCredentialText(data, 'configurationType', 'connectionString') === 'values') return fromValues(data);
  const address = credentialText(data, 'connectionString').trim();
  if (!/^mongodb(\+srv)?:\/\//.test(address)) throw unusable('the connection string begins with mongodb:// or mongodb+srv://');
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
  if (/[/?#@,\\]/.test(host)) throw unusable('the field "host" is not the name of one host');
  const database = encodeURIComponent(optionalCredentialText(data, 'database'));
  return `mongodb://${login}${bracketed}:${numberOf(data, 'port', 27_017)}/${database}`;
}

function certificatesOf(data: JsonObject) {
  const [ca, cert, key, passphrase] = ['ca', 'cert', 'key', 'passphrase'].map((field) => optionalCredentialText(data, field));
  return { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }), ...(passphrase && { passphrase }) };
}

function unusable(message: string): AppError {
  return new AppError({ code: 'CREDENTIAL_UNUSABLE', message });
}
