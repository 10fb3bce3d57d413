import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { NodeType } from '@sluice/node-sdk';

/**
 * Service folder → its node types. Each type is in `services/<folder>/<type>.ts`, under its
 * camel-case name.
 */
const services: Readonly<Record<string, readonly string[]>> = {
  airtable: ['airtable', 'airtable-trigger'],
  airtop: ['airtop'],
  'api-template-io': ['api-template-io'],
  asana: ['asana'],
  'aws-iam': ['aws-iam'],
  baserow: ['baserow'],
  beeminder: ['beeminder'],
  box: ['box'],
  cal: ['cal-trigger'],
  calendly: ['calendly-trigger'],
  'circle-ci': ['circle-ci'],
  'click-up': ['click-up', 'click-up-trigger'],
  'coin-gecko': ['coin-gecko'],
  'deep-l': ['deep-l'],
  discord: ['discord'],
  dropbox: ['dropbox'],
  'facebook-graph-api': ['facebook-graph-api'],
  freshdesk: ['freshdesk'],
  github: ['github', 'github-trigger'],
  gitlab: ['gitlab', 'gitlab-trigger'],
  gmail: ['gmail', 'gmail-trigger'],
  'google-big-query': ['google-big-query'],
  'google-business-profile': ['google-business-profile'],
  'google-calendar': ['google-calendar', 'google-calendar-trigger'],
  'google-cloud-storage': ['google-cloud-storage'],
  'google-contacts': ['google-contacts'],
  'google-docs': ['google-docs'],
  'google-drive': ['google-drive', 'google-drive-trigger'],
  'google-sheets': ['evaluation', 'evaluation-trigger', 'google-sheets', 'google-sheets-trigger'],
  'google-tasks': ['google-tasks'],
  'google-translate': ['google-translate'],
  gotify: ['gotify'],
  'high-level': ['high-level'],
  'hacker-news': ['hacker-news'],
  'home-assistant': ['home-assistant'],
  hubspot: ['hubspot', 'hubspot-trigger'],
  hunter: ['hunter'],
  'jina-ai': ['jina-ai'],
  jira: ['jira'],
  'jot-form': ['jot-form-trigger'],
  linear: ['linear'],
  mailchimp: ['mailchimp'],
  mailjet: ['mailjet'],
  mattermost: ['mattermost'],
  'microsoft-share-point': ['microsoft-share-point'],
  'mistral-ai': ['mistral-ai'],
  'monday-com': ['monday-com'],
  n8n: ['n8n'],
  nasa: ['nasa'],
  'next-cloud': ['next-cloud'],
  'noco-db': ['noco-db'],
  notion: ['notion', 'notion-trigger'],
  odoo: ['odoo'],
  'open-ai': ['open-ai'],
  'open-weather-map': ['open-weather-map'],
  perplexity: ['perplexity'],
  phantombuster: ['phantombuster'],
  'linked-in': ['linked-in'],
  'microsoft-excel': ['microsoft-excel'],
  'microsoft-one-drive': ['microsoft-one-drive'],
  'google-analytics': ['google-analytics'],
  'google-slides': ['google-slides'],
  'microsoft-outlook': ['microsoft-outlook', 'microsoft-outlook-trigger'],
  'microsoft-teams': ['microsoft-teams'],
  'microsoft-to-do': ['microsoft-to-do'],
  pipedrive: ['pipedrive', 'pipedrive-trigger'],
  plivo: ['plivo'],
  'quick-chart': ['quick-chart'],
  quickbooks: ['quickbooks'],
  raindrop: ['raindrop'],
  reddit: ['reddit'],
  salesforce: ['salesforce', 'salesforce-trigger'],
  'send-grid': ['send-grid'],
  'send-in-blue': ['send-in-blue'],
  'service-now': ['service-now'],
  shopify: ['shopify', 'shopify-trigger'],
  signl4: ['signl4'],
  slack: ['slack', 'slack-trigger'],
  spotify: ['spotify'],
  stripe: ['stripe', 'stripe-trigger'],
  supabase: ['supabase'],
  telegram: ['telegram', 'telegram-trigger'],
  todoist: ['todoist'],
  trello: ['trello'],
  twilio: ['twilio'],
  typeform: ['typeform-trigger'],
  twitter: ['twitter'],
  'whats-app': ['whats-app', 'whats-app-trigger'],
  'woo-commerce': ['woo-commerce', 'woo-commerce-trigger'],
  wordpress: ['wordpress'],
  'you-tube': ['you-tube'],
  zendesk: ['zendesk'],
  'zoho-crm': ['zoho-crm'],
};

/** Node type name → folder of its service. */
export const serviceFolders: ReadonlyMap<string, string> = new Map(
  Object.entries(services).flatMap(([folder, names]) => names.map((name) => [name, folder] as const)),
);

const load = createRequire(import.meta.url);
const extension = /\.\w+$/.exec(import.meta.url)?.[0] ?? '.js';

/**
 * Node type name → function that loads it. A module is loaded on first use and then kept: a process
 * without workflows that use a service loads none of its code.
 */
export const serviceNodeTypes: ReadonlyMap<string, () => NodeType> = new Map(
  [...serviceFolders].map(([name, folder]) => [name, () => loadType(folder, name)] as const),
);

function loadType(folder: string, name: string): NodeType {
  const module = load(`./services/${folder}/${name}${extension}`) as Record<string, NodeType>;
  const type = module[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  if (!type) throw new TypeError(`services/${folder}/${name}${extension} does not export the node type ${name}`);
  return type;
}

/** All service types, for lists. Loads them one by one and yields to the event loop after each. */
export async function loadServiceNodeTypes(): Promise<NodeType[]> {
  const types: NodeType[] = [];
  for (const loadOne of serviceNodeTypes.values()) {
    types.push(loadOne());
    await setImmediate();
  }
  return types;
}
