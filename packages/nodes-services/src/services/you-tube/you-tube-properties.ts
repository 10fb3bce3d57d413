import { choice, choices, names, options, text } from '@sluice/nodes-base/node-tools';
import { listPropertiesOf } from '../../shared/list-properties.ts';

export const listProperties = listPropertiesOf(25);

export const fieldsOfPart = names('part', 'Fields', 'Parts to return, such as `snippet`; `*`: all', { default: ['*'] });

export const owner = text('onBehalfOfContentOwner', 'On Behalf Of Content Owner', 'Content owner for whom a partner acts');
export const ownerOptions = options([owner]);
export const language = text('languageCode', 'Language Code', 'Language of localized text, such as `de`');

export const regionCode = text('regionCode', 'Region Code', 'Country, such as `US`; editors use it for the categories', {
  typeOptions: { loadOptionsMethod: 'getCountriesCodes' },
});

export const privacyStatus = choice(
  'privacyStatus',
  'Privacy Status',
  choices(['private', 'Private'], ['public', 'Public'], ['unlisted', 'Unlisted']),
);
export const defaultLanguage = text('defaultLanguage', 'Default Language', 'Language of title and description', {
  typeOptions: { loadOptionsMethod: 'getLanguages' },
});
export const tags = text('tags', 'Tags', 'Keywords, separated by commas');
export const description = text('description', 'Description', 'The description');
