import type { ExecuteContext } from '@sluice/node-sdk';
import { hostLogger } from '../host-logger.ts';
import { unsupportedFunctions } from '../unsupported.ts';
import { deepCopy } from '../workflow-module/json.ts';
import { createDeferredPromise } from '../workflow-module/waiting.ts';
import { egressFilter } from './egress-filter.ts';
import type { HostPorts } from './host-ports.ts';
import { itemHelpers } from './item-helpers.ts';
import { requestHelpers } from './request-helpers.ts';

export function commonFunctions(ports: HostPorts, workflow: ExecuteContext['workflow']) {
  const { node, typeVersion } = ports;
  return {
    logger: hostLogger(ports.logger),
    getNode: () => ({ disabled: false, ...(deepCopy(node) as typeof node), typeVersion }),
    getWorkflow: () => ({ id: workflow.id, name: workflow.name, active: workflow.active }),
    getTimezone: () => workflow.timezone,
    getCredentials: (type: string, itemIndex = 0) => ports.credentials(type, itemIndex),
    getInstanceId: () => 'sluice',
    getKnownNodeTypes: () => ({}),
    getCredentialsProperties: () => [],
    ...unsupportedFunctions(['getInstanceBaseUrl', 'getRestApiUrl', 'establishTriggerIdentity', ...oAuthFunctions], 'this.'),
  };
}

/** OAuth functions of another kind of service. */
const oAuthFunctions = ['validateCookieAuth', 'validateN8nOAuth2Token', 'beginN8nOAuth2Flow', 'completeN8nOAuth2Flow'];

export function commonHelpers(ports: HostPorts) {
  return {
    ...itemHelpers,
    ...requestHelpers(ports),
    createDeferredPromise,
    getSecureEgressFilter: () => egressFilter(ports.http.guard),
    ...unsupportedFunctions(
      ['getDataTableProxy', 'getDataTableAggregateProxy', 'getSSHClient', 'checkProcessedAndRecord'],
      'this.helpers.',
    ),
  };
}
