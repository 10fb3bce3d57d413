import { randomBytes } from 'node:crypto';
import type { BinaryStore } from '@sluice/binary-store';
import { type Config, readAllowedEnvironment } from '@sluice/config';
import { CredentialOpener } from '@sluice/credentials';
import { type AuditLog, GraphCache } from '@sluice/db';
import type { CredentialType } from '@sluice/node-sdk';
import { createCredentialTypeRegistry } from '@sluice/nodes-base/credentials';
import type { Vault } from '@sluice/vault';
import { WorkerCredentials } from '../credentials/worker-credentials.ts';
import { VariableCache } from '../run/variable-cache.ts';
import type { Engine } from './create-engine.ts';
import type { Repositories } from './create-repositories.ts';

interface NodeKitParts {
  repositories: Pick<Repositories, 'credentialUses' | 'graphs' | 'variables'>;
  engine: Engine;
  store: BinaryStore;
  vault: Vault;
  audit: AuditLog;
  credentialTypes: readonly CredentialType[];
}

/** The environment of nodes, in executions and in triggers. */
export function createNodeKit(
  { binary: caps, expressions, http, outgoing, timezone }: Config,
  { repositories, engine: { ports, connectGuard }, store, vault, audit, credentialTypes }: NodeKitParts,
) {
  const opener = new CredentialOpener({
    credentialUses: repositories.credentialUses,
    vault,
    types: createCredentialTypeRegistry(credentialTypes, { url: outgoing.ownApiUrl, keyHeader: http.keyHeader }),
    ports: { http: ports.http, connect: ports.connect, connectGuard, now: Date.now, randomBytes },
    audit,
  });
  return {
    engine: ports,
    graphCache: new GraphCache(repositories.graphs),
    credentials: new WorkerCredentials(opener, repositories.credentialUses),
    variables: new VariableCache(repositories.variables),
    /** Environment variables of the worker that expressions may read. */
    env: readAllowedEnvironment(expressions.envAllow),
    /** Time zone of workflows without their own. */
    timezone,
    /** Storage of files. */
    store,
    /** Limits for files. */
    caps,
  };
}
