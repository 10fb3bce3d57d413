import type { Config } from '@sluice/config';
import { CredentialOpener } from '@sluice/credentials';
import type { AuditLog } from '@sluice/db';
import type { Endpoint } from '@sluice/http-client';
import type { Logger } from '@sluice/logger';
import type { CredentialType, NodeType } from '@sluice/node-sdk';
import { createCredentialTypeRegistry } from '@sluice/nodes-base/credentials';
import type { Vault } from '@sluice/vault';
import { CredentialTypeService } from '../credential-types/credential-type-service.ts';
import { CredentialConsents } from '../credentials/credential-consents.ts';
import { CredentialHealth } from '../credentials/credential-health.ts';
import { CredentialService } from '../credentials/credential-service.ts';
import { CredentialTester } from '../credentials/credential-tester.ts';
import { CredentialTypes } from '../credentials/credential-types.ts';
import { nodeCredentialTests } from '../credentials/node-credential-tests.ts';
import { outgoingPorts } from '../credentials/outgoing-ports.ts';
import { TokenRevoker } from '../credentials/token-revoker.ts';
import type { Repositories } from './create-repositories.ts';

interface CredentialParts {
  ownEndpoints: Iterable<Endpoint>;
  repositories: Repositories;
  vault: Vault;
  audit: AuditLog;
  credentialTypes: readonly CredentialType[];
  /** Node types of packages. */
  nodeTypes: ReadonlyMap<string, NodeType>;
  logger: Logger;
}

/** Timeout of credential tests and token requests, in milliseconds. */
const timeoutMs = 10_000;

export function createCredentials({ http, license, outgoing }: Config, parts: CredentialParts) {
  const { ownEndpoints, repositories, vault, audit, credentialTypes, nodeTypes } = parts;
  const registry = createCredentialTypeRegistry(credentialTypes, { url: outgoing.ownApiUrl, keyHeader: http.keyHeader });
  const types = new CredentialTypes(registry);
  const testOf = nodeCredentialTests(nodeTypes);
  const { ports, close } = outgoingPorts({ ...outgoing, ownEndpoints });
  const opener = new CredentialOpener({ ...repositories, vault, types, ports, audit });
  // Each options type picks the parts it needs, as in `createServices`.
  const shared = { ...repositories, ...parts, types, testOf, ports, opener, license, timeoutMs, publicUrl: http.publicUrl };
  const revoker = new TokenRevoker({ ...shared, listTypes: () => registry.list() });
  const services = {
    credentials: new CredentialService({ ...shared, revoker }),
    credentialTypes: new CredentialTypeService({ types: registry.list(), testOf }),
    credentialTests: new CredentialTester(shared),
    credentialConsents: new CredentialConsents({ ...shared, revoker }),
  };
  const health = new CredentialHealth({ ...shared, types: registry.list() });
  return { services, health, opener, ports, close };
}
