import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf, timestampOf } from './schema-helpers.ts';

/** The kinds of items that need attention. */
export const attentionKinds = [
  'triggerFailing',
  'registrationFailing',
  'credentialNotConnected',
  'credentialExpired',
  'credentialExpiring',
  'credentialUnreadable',
  'apiKeyExpired',
  'apiKeyExpiring',
  'queueFull',
  'queueFilling',
  'storageFull',
  'storageFilling',
  'noWorker',
  'packageFailed',
] as const;

const named = (description: string) =>
  nullable(Type.Object({ id: Type.String(), name: Type.String() }, { description: `${description}; null: not about one` }));

export const attentionItem = Type.Object(
  {
    kind: oneOf(attentionKinds),
    severity: oneOf(['error', 'warning'], {
      description: 'error: something is not working; warning: something may soon stop working',
    }),
    message: Type.String({ description: 'human-readable description of the problem' }),
    at: nullable(timestampOf('time of the expiry or of the next try')),
    project: named('the project'),
    workflow: named('the workflow'),
    nodeName: nullable(Type.String()),
    credential: named('the credential'),
    apiKey: named('the API key, with its label'),
  },
  { title: 'AttentionItem' },
);
export type AttentionItem = Static<typeof attentionItem>;

export const attentionList = Type.Object({
  data: Type.Array(attentionItem, { description: 'errors first; up to 100 of each kind' }),
});
