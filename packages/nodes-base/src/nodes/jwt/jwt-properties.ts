import type { NodeProperty } from '@sluice/node-sdk';
import { jwtAlgorithms } from '../../credentials/jwt-auth.ts';
import { atLeast, choice, choices, collection, number, options, text, toggle, where } from '../../shared/properties.ts';

const signing = where({ operation: ['sign'] });
const seconds = 'in seconds from now';

export const jwtProperties: readonly NodeProperty[] = [
  choice(
    'operation',
    'Operation',
    choices(
      ['sign', 'Sign', 'Creates a token'],
      ['verify', 'Verify', 'Verifies a token’s signature and times'],
      ['decode', 'Decode', 'Reads a token without verifying it'],
    ),
  ),
  toggle('useJson', 'Use JSON to Build Payload', 'Whether to specify the claims as JSON', signing),
  collection(
    'claims',
    'Payload Claims',
    [
      text('audience', 'Audience', 'The claim `aud`: who the token is for'),
      number('expiresIn', 'Expires In', 3600, `The claim \`exp\`: when the token expires, ${seconds}`),
      text('issuer', 'Issuer', 'The claim `iss`: who issues the token'),
      text('jwtid', 'JWT ID', 'The claim `jti`: an identifier of the token'),
      number('notBefore', 'Not Before', 0, `The claim \`nbf\`: when the token becomes valid, ${seconds}`),
      text('subject', 'Subject', 'The claim `sub`: the subject of the token'),
    ],
    where({ operation: ['sign'], useJson: [false] }),
  ),
  {
    ...text('claimsJson', 'Payload Claims (JSON)', 'An object; it is signed unchanged', {
      ...where({ operation: ['sign'], useJson: [true] }),
    }),
    type: 'json',
    default: '{\n  "my_field_1": "value 1",\n  "my_field_2": "value 2"\n}',
  },
  text('token', 'Token', 'The token to verify or to decode', {
    required: true,
    ...where({ operation: ['verify', 'decode'] }),
  }),
  options([
    choice('algorithm', 'Override Algorithm', choices(...jwtAlgorithms.map((name): [string, string] => [name, name])), {
      description: 'Algorithm to sign or verify with, instead of the credential’s algorithm',
      displayOptions: { show: { '/operation': ['sign', 'verify'] } },
    }),
    toggle('complete', 'Return Additional Info', 'Whether the header and the signature are returned as well', {
      displayOptions: { show: { '/operation': ['verify', 'decode'] } },
    }),
    toggle('ignoreExpiration', 'Ignore Expiration', 'Whether an expired token is valid', {
      displayOptions: { show: { '/operation': ['verify'] } },
    }),
    toggle('ignoreNotBefore', 'Ignore Not Before Claim', 'Whether a token is valid before its time', {
      displayOptions: { show: { '/operation': ['verify'] } },
    }),
    atLeast(
      0,
      number('clockTolerance', 'Clock Tolerance', 0, 'Maximum clock difference in seconds', {
        displayOptions: { show: { '/operation': ['verify'] } },
      }),
    ),
    text('kid', 'Key ID', 'The header `kid`: which key the recipient verifies with', {
      displayOptions: { show: { '/operation': ['sign'] } },
    }),
  ]),
];
