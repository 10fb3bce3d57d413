import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { chosenId } from '../../shared/service-item.ts';
import { comment, issue } from './issue.ts';
import { askAll, choicesOf, linearClient, listQuery } from './linear-client.ts';

export const linear = defineService({
  displayName: 'Linear',
  name: 'linear',
  version: [1, 1.1],
  description: 'Reads and changes issues in Linear',
  credentials: [
    { name: 'linearApi', required: true, ...where({ authentication: ['apiToken'] }) },
    { name: 'linearOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:check',
  iconColor: 'purple',
  client: linearClient,
  leading: [choice('authentication', 'Authentication', choices(['apiToken', 'API Token'], ['oAuth2', 'OAuth2']))],
  resources: { comment, issue },
  initial: 'issue',
  methods: {
    loadOptions: {
      getTeams: (context) => choicesOf(context, 'teams', 'name'),
      getUsers: (context) => choicesOf(context, 'users', 'displayName'),
      getStates,
    },
  },
});

const maxStates = 1_000;

/** States of the selected team; without a team, all teams' states with the team names. */
async function getStates(context: MethodContext): Promise<NodePropertyOption[]> {
  const team = chosenId(context, 'updateFields.teamId') || chosenId(context, 'teamId');
  const states = await askAll(context, listQuery('workflowStates', 'id name team { id name }'), 'workflowStates', maxStates);
  return states.flatMap(({ id = '', name = '', team: of }) => {
    const { id: teamId, name: teamName = '' } = objectOf(of);
    if (team !== '' && teamId !== team) return [];
    return [{ name: team === '' ? `${name} (${teamName})` : asText(name), value: asText(id) }];
  });
}
