import {
  type FormTrigger,
  isPathSegment,
  NodeOperationError,
  type TriggerContext,
  type UnsupportedUse,
} from '@sluice/node-sdk';
import { formPage, formResponse } from '../../shared/form-page.ts';
import { guardChoice, guardToggle } from '../../shared/guards.ts';
import { type ParameterSource, refuseUnsupported, textParameter } from '../../shared/parameters.ts';
import { withoutOuterSlashes } from '../../shared/slashes.ts';
import { allowedAddresses, webhookAuthentication } from '../../shared/webhook-requests.ts';

export const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'authentication',
    values: ['n8nUserAuth'],
    what: 'authentication by users of the service',
    hint: 'Use basic authentication',
  },
  {
    parameter: 'options.showHeaders',
    what: 'including a submission’s headers in the output',
    hint: 'Switch it off, or use a Webhook node, whose output includes them',
  },
];

/** A node's form and its path. Throws a `NodeOperationError` for invalid parameters. */
export function formTriggerSpec(source: TriggerContext): FormTrigger {
  refuseUnsupported(source, unsupportedUses, 0);
  const kind = guardChoice(source, 'authentication', ['none', 'basicAuth'], 'none');
  const authentication = webhookAuthentication(source.node, kind);
  const addresses = allowedAddresses(source);
  return {
    kind: 'form',
    methods: ['POST'],
    path: formPath(source, source.node.webhookId),
    ...(authentication && { authentication }),
    ...(addresses.length > 0 && { allowedAddresses: addresses }),
    ...(guardToggle(source, 'options.ignoreBots') && { ignoresBots: true }),
    page: formPage(source, source.typeVersion),
    response: formResponse(source),
  };
}

function formPath(source: ParameterSource, webhookId: string | undefined): string {
  const parameter = textParameter(source, 'options.path', 0).trim() || textParameter(source, 'path', 0).trim();
  const path = withoutOuterSlashes(parameter || (webhookId ?? ''));
  if (path === '')
    throw new NodeOperationError('the form has no path, and its node has no "webhookId"', {
      description: 'Set the path of the form',
    });
  const segments = path.split('/');
  if (segments.length <= 50 && segments.every(isPathSegment)) return path;
  throw new NodeOperationError('the path of the form must be words between slashes', { description: 'For example feedback' });
}
