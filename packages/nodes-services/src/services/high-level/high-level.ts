import type { JsonObject, MethodContext } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { calendar } from './calendar.ts';
import { contact } from './contact.ts';
import { highLevelClient, locationOf } from './high-level-client.ts';
import { opportunity } from './opportunity.ts';
import { task } from './task.ts';

export const highLevel = defineService({
  displayName: 'HighLevel',
  name: 'high-level',
  version: 2,
  description: 'Reads and changes contacts, opportunities, tasks, and appointments in HighLevel',
  credentials: [{ name: 'highLevelOAuth2Api', required: true }],
  icon: 'fa:chart-line',
  iconColor: 'green',
  client: highLevelClient,
  resources: { contact, opportunity, task, calendar },
  methods: {
    loadOptions: {
      getPipelines: async (context) => choicesFrom(await pipelinesOf(context)),
      async getPipelineStages(context) {
        const chosen = ['pipelineId', 'updateFields.pipelineId'].map((path) => textOf(context.parameter(path, '')));
        const isChosen = ({ id }: JsonObject) => chosen.every((one) => one === '') || chosen.includes(textOf(id));
        return (await pipelinesOf(context)).filter(isChosen).flatMap(({ stages }) => choicesFrom(objectsOf(stages)));
      },
      getUsers: async (context) => choicesFrom(await listed(context, '/users/', 'users')),
    },
  },
});

const pipelinesOf = (context: MethodContext) => listed(context, '/opportunities/pipelines', 'pipelines');

async function listed(context: MethodContext, path: string, member: string): Promise<JsonObject[]> {
  const query = { locationId: await locationOf(context) };
  return objectsOf(objectOf(await highLevelClient.send(context, { path, query }))[member]);
}
