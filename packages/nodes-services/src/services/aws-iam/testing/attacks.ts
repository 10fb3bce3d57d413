import type { Attacks } from '../../../testing/attack.ts';

const list = (members: string) =>
  `<ListUsersResponse><ListUsersResult><Users>${members}</Users></ListUsersResult></ListUsersResponse>`;

export const attacks: Attacks = {
  'aws-iam': () => [
    { name: 'many users', parameters: { returnAll: true }, answer: () => list('<member><A>1</A></member>'.repeat(200_000)) },
    { name: 'deeply nested elements', parameters: { returnAll: true }, answer: () => list('<a>'.repeat(500_000)) },
    { name: 'a long error', parameters: {}, status: 400, answer: () => `<Code>${'x'.repeat(5_000_000)}` },
  ],
};
