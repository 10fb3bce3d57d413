import type { UnsupportedUse } from '@sluice/node-sdk';

export const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'authentication',
    values: ['mcpOAuth2Api', 'multipleHeadersAuth'],
    what: 'this authentication of MCP servers',
    hint: 'Use Bearer Auth, Header Auth, or OAuth2',
  },
];
