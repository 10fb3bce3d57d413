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
import { outgoingPorts } from '../credentials/outgoing-ports.ts';
import { testsOfNodes } from '../credentials/tests-of-nodes.ts';
import { TokenRevoker } from '../credentials/token-revoker.ts';
import type { Services } from '../services.ts';
import type { Repositories } from './create-repositories.ts';

export type CredentialServices = Pick<Services, 'credentials' | 'credentialTypes' | 'credentialTests' | 'credentialConsents'>;

interface CredentialParts {
  ownEndpoints: Iterable<Endpoint>;
  repositories: Pick<Repositories, 'credentialConsents' | 'credentials' | 'credentialUses' | 'projects' | 'users'>;
  vault: Vault;
  audit: AuditLog;
  credentialTypes: readonly CredentialType[];
  /** Node types of packages. */
  nodeTypes: ReadonlyMap<string, NodeType>;
  /** Milliseconds that a request to a service may take. */
  timeoutMs: number;
  logger: Logger;
}

export function createCredentials(
  { http, license, outgoing }: Config,
  { ownEndpoints, repositories, vault, audit, credentialTypes, nodeTypes, timeoutMs, logger }: CredentialParts,
) {
  const { credentialConsents, credentials, credentialUses, projects, users } = repositories;
  const registry = createCredentialTypeRegistry(credentialTypes, { url: outgoing.ownApiUrl, keyHeader: http.keyHeader });
  const types = new CredentialTypes(registry);
  const testOf = testsOfNodes(nodeTypes);
  const { ports, close } = outgoingPorts({ ...outgoing, ownEndpoints });
  const opener = new CredentialOpener({ credentialUses, vault, types, ports, audit });
  const { publicUrl } = http;
  const listTypes = () => registry.list();
  const revoker = new TokenRevoker({ credentials, types, listTypes, vault, ports, logger, timeoutMs });
  const services: CredentialServices = {
    credentials: new CredentialService({ credentials, projects, types, vault, license, revoker }),
    credentialTypes: new CredentialTypeService({ types: registry.list(), testOf }),
    credentialTests: new CredentialTester({
      credentials,
      opener,
      types,
      testOf,
      ports,
      timeoutMs,
    }),
    credentialConsents: new CredentialConsents({
      credentialConsents,
      credentials,
      users,
      types,
      vault,
      ports,
      audit,
      revoker,
      publicUrl,
      timeoutMs,
    }),
  };
  const health = new CredentialHealth({ credentials, types: registry.list(), vault });
  return { services, health, opener, ports, close };
}
