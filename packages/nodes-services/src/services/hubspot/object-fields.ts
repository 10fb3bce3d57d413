import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { list, text } from '@sluice/nodes-base/node-tools';
import { asText, locatedValue } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { nameOf, timeOf } from './hubspot-client.ts';

/** Node field name → HubSpot property and title. */
type FieldTable = Readonly<Record<string, readonly [property: string, displayName: string]>>;

export const contactFields: FieldTable = {
  annualRevenue: ['annualrevenue', 'Annual Revenue'],
  associatedCompanyId: ['associatedcompanyid', 'Associated Company ID'],
  city: ['city', 'City'],
  clickedFacebookAd: ['hs_facebook_ad_clicked', 'Clicked Facebook Ad'],
  closeDate: ['closedate', 'Close Date'],
  companyName: ['company', 'Company Name'],
  companySize: ['company_size', 'Company Size'],
  contactOwner: ['hubspot_owner_id', 'Contact Owner'],
  country: ['country', 'Country/Region'],
  dateOfBirth: ['date_of_birth', 'Date of Birth'],
  degree: ['degree', 'Degree'],
  facebookClickId: ['hs_facebook_click_id', 'Facebook Click ID'],
  faxNumber: ['fax', 'Fax Number'],
  fieldOfStudy: ['field_of_study', 'Field of Study'],
  firstName: ['firstname', 'First Name'],
  gender: ['gender', 'Gender'],
  googleAdClickId: ['hs_google_click_id', 'Google Ad Click ID'],
  graduationDate: ['graduation_date', 'Graduation Date'],
  industry: ['industry', 'Industry'],
  jobFunction: ['job_function', 'Job Function'],
  jobTitle: ['jobtitle', 'Job Title'],
  lastName: ['lastname', 'Last Name'],
  leadStatus: ['hs_lead_status', 'Lead Status'],
  lifeCycleStage: ['lifecyclestage', 'Lifecycle Stage'],
  linkedinUrl: ['hs_linkedin_url', 'LinkedIn URL'],
  maritalStatus: ['marital_status', 'Marital Status'],
  membershipNote: ['hs_content_membership_notes', 'Membership Note'],
  message: ['message', 'Message'],
  mobilePhoneNumber: ['mobilephone', 'Mobile Phone Number'],
  numberOfEmployees: ['numemployees', 'Number of Employees'],
  originalSource: ['hs_analytics_source', 'Original Source'],
  phoneNumber: ['phone', 'Phone Number'],
  postalCode: ['zip', 'Postal Code'],
  preferredLanguage: ['hs_language', 'Preferred Language'],
  processingContactData: ['hs_legal_basis', 'Processing Contact Data'],
  relationshipStatus: ['relationship_status', 'Relationship Status'],
  salutation: ['salutation', 'Salutation'],
  school: ['school', 'School'],
  seniority: ['seniority', 'Seniority'],
  startDate: ['start_date', 'Start Date'],
  stateRegion: ['state', 'State/Region'],
  status: ['hs_content_membership_status', 'Status'],
  streetAddress: ['address', 'Street Address'],
  twitterUsername: ['twitterhandle', 'Twitter Username'],
  websiteUrl: ['website', 'Website URL'],
  workEmail: ['work_email', 'Work Email'],
};

export const companyFields: FieldTable = {
  aboutUs: ['about_us', 'About Us'],
  annualRevenue: ['annualrevenue', 'Annual Revenue'],
  city: ['city', 'City'],
  closeDate: ['closedate', 'Close Date'],
  companyDomainName: ['domain', 'Company Domain Name'],
  companyOwner: ['hubspot_owner_id', 'Company Owner'],
  countryRegion: ['country', 'Country/Region'],
  description: ['description', 'Description'],
  facebookFans: ['facebookfans', 'Facebook Fans'],
  googlePlusPage: ['googleplus_page', 'Google Plus Page'],
  industry: ['industry', 'Industry'],
  isPublic: ['is_public', 'Is Public'],
  leadStatus: ['hs_lead_status', 'Lead Status'],
  lifecycleStatus: ['lifecyclestage', 'Lifecycle Stage'],
  linkedinBio: ['linkedinbio', 'LinkedIn Bio'],
  linkedInCompanyPage: ['linkedin_company_page', 'LinkedIn Company Page'],
  numberOfEmployees: ['numberofemployees', 'Number of Employees'],
  originalSourceType: ['hs_analytics_source', 'Original Source Type'],
  phoneNumber: ['phone', 'Phone Number'],
  postalCode: ['zip', 'Postal Code'],
  stateRegion: ['state', 'State/Region'],
  streetAddress: ['address', 'Street Address'],
  streetAddress2: ['address2', 'Street Address 2'],
  targetAccount: ['hs_target_account', 'Target Account'],
  timezone: ['timezone', 'Time Zone'],
  totalMoneyRaised: ['total_money_raised', 'Total Money Raised'],
  twitterBio: ['twitterbio', 'Twitter Bio'],
  twitterFollowers: ['twitterfollowers', 'Twitter Followers'],
  twitterHandle: ['twitterhandle', 'Twitter Handle'],
  type: ['type', 'Type'],
  webTechnologies: ['web_technologies', 'Web Technologies'],
  websiteUrl: ['website', 'Website URL'],
  yearFounded: ['founded_year', 'Year Founded'],
};

export const dealFields: FieldTable = {
  amount: ['amount', 'Amount'],
  closeDate: ['closedate', 'Close Date'],
  dealName: ['dealname', 'Deal Name'],
  dealOwner: ['hubspot_owner_id', 'Deal Owner'],
  dealType: ['dealtype', 'Deal Type'],
  description: ['description', 'Description'],
  pipeline: ['pipeline', 'Pipeline'],
};

export const ticketFields: FieldTable = {
  category: ['hs_ticket_category', 'Category'],
  closeDate: ['closed_date', 'Close Date'],
  createDate: ['createdate', 'Create Date'],
  description: ['content', 'Description'],
  lastModifiedDate: ['hs_lastmodifieddate', 'Last Modified Date'],
  priority: ['hs_ticket_priority', 'Priority'],
  resolution: ['hs_resolution', 'Resolution'],
  source: ['source_type', 'Source'],
  ticketOwnerId: ['hubspot_owner_id', 'Ticket Owner'],
};

/** Fields for editors, including custom fields of the account. */
export function fieldProperties(table: FieldTable): readonly NodeProperty[] {
  return [
    ...Object.entries(table).map(([name, [property, displayName]]) =>
      text(name, displayName, `The property \`${property}\``, { acceptsList: true }),
    ),
    list('customPropertiesUi', 'Custom Properties', 'customPropertiesValues', [
      text('property', 'Property', 'Internal name of the property'),
      text('value', 'Value', 'Value of the property'),
    ]),
  ];
}

/** HubSpot properties and their values, from a collection of the node. */
export async function propertiesOf(item: ServiceItem, path: string, table: FieldTable): Promise<[string, string][]> {
  const fields = item.fields(path);
  const standard: [string, string][] = [];
  for (const [name, [property]] of Object.entries(table)) {
    const rawValue = locatedValue(fields[name]) ?? '';
    const value = times.has(property) ? await timeOf(item, rawValue) : rawValue;
    if (value !== '') standard.push([property, asText(value)]);
  }
  const own = item
    .entries(`${path}.customPropertiesUi.customPropertiesValues`)
    .map(({ property = '', value = '' }): [string, string] => [nameOf(property), asText(value)]);
  return [...standard, ...own.filter(([property]) => property !== '')];
}

/** Properties with time values. */
const times = new Set(['closedate', 'closed_date', 'createdate', 'hs_lastmodifieddate']);

/** `[{ name, value }]`, or with another member in place of `name`. */
export const pairs = (values: readonly [string, string][], name: 'name' | 'property' = 'name'): JsonObject[] =>
  values.map(([property, value]) => ({ [name]: property, value }));
