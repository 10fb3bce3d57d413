import { type DisplayScope, isDisplayed } from '@sluice/node-sdk';
import * as assertions from './assertions.ts';
import * as requestAuthentication from './call-authentication.ts';
import * as constants from './constants.ts';
import { cronExpression } from './cron-expression.ts';
import * as errors from './errors.ts';
import * as fieldValues from './field-values.ts';
import * as json from './json.ts';
import { LoggerProxy } from './logger-proxy.ts';
import * as random from './random.ts';
import * as regularExpressions from './regular-expressions.ts';
import * as safeNames from './safe-names.ts';
import * as displayOptions from './update-display-options.ts';
import * as valueKinds from './value-kinds.ts';
import { Node, VersionedNodeType } from './versioned-node-type.ts';
import * as waiting from './waiting.ts';

const { nodeTypeConstants, ...plainConstants } = constants;

/** Description helpers for packages. */
const nodeHelpers = {
  displayParameter: (
    siblings: DisplayScope['siblings'],
    parameter: { displayOptions?: Parameters<typeof isDisplayed>[0] },
    node: { typeVersion?: number } | null,
    _description?: unknown,
    parameters: DisplayScope['siblings'] = siblings,
  ) => isDisplayed(parameter.displayOptions, { siblings, parameters, typeVersion: node?.typeVersion ?? 1 }),
  getConnectionTypes: (connections: readonly (string | { type: string })[]) =>
    connections.map((connection) => (typeof connection === 'string' ? connection : connection.type)),
};

/** The value of `require('n8n-workflow')`: documented names and behavior, implemented here. */
export const workflowModule: Readonly<Record<string, unknown>> = Object.freeze({
  ...errors,
  ...assertions,
  ...requestAuthentication,
  ...displayOptions,
  ...fieldValues,
  ...random,
  ...regularExpressions,
  ...safeNames,
  ...valueKinds,
  ...waiting,
  ...json,
  ...plainConstants,
  ...nodeTypeConstants,
  NodeConnectionType: constants.NodeConnectionTypes,
  Node,
  VersionedNodeType,
  LoggerProxy,
  NodeHelpers: nodeHelpers,
  toCronExpression: cronExpression,
});
