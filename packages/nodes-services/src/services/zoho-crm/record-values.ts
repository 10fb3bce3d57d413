import { isJsonObject, type JsonObject, type JsonValue, type NodeProperty } from '@sluice/node-sdk';
import { collection, list, number, text, toggle } from '@sluice/nodes-base/node-tools';
import { asText, filledFields, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const title = (name: string): string => name.replaceAll('_', ' ');
const street = ['Street', 'City', 'State', 'Country'];
/** Fields of an address: those of an account end with `Code`, those of a contact with `Zip`. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  Address: [...street, 'Zip_Code'],
  Billing_Address: [...street, 'Code'].map((part) => `Billing_${part}`),
  Mailing_Address: [...street, 'Zip'].map((part) => `Mailing_${part}`),
  Other_Address: [...street, 'Zip'].map((part) => `Other_${part}`),
  Shipping_Address: [...street, 'Code'].map((part) => `Shipping_${part}`),
};
const numeric: ReadonlySet<string> = new Set([
  ...['Adjustment', 'Amount', 'Annual_Revenue', 'Commission_Rate', 'Employees', 'Exchange_Rate', 'No_of_Employees'],
  ...['Probability', 'Qty_in_Demand', 'Qty_in_Stock', 'Qty_Ordered', 'Sales_Commission', 'Excise_Duty', 'Unit_Price'],
]);
const flags: ReadonlySet<string> = new Set(['Email_Opt_Out', 'Product_Active', 'Taxable']);
const days: ReadonlySet<string> = new Set([
  ...['Closing_Date', 'Date_of_Birth', 'Due_Date', 'Invoice_Date', 'PO_Date', 'Sales_End_Date', 'Sales_Start_Date'],
  ...['Support_Expiry_Date', 'Support_Start_Date', 'Valid_Till'],
]);
/** Fields that refer to another record. */
const lookups: ReadonlySet<string> = new Set([
  ...['Account_Name', 'Contact_Name', 'Deal_Name', 'Owner', 'Parent_Account', 'Quote_Name', 'Sales_Order', 'Vendor_Name'],
  ...['Campaign_Source', 'Product_Name'],
]);

const customFields: NodeProperty = list('customFields', 'Custom Fields', 'customFields', [
  text('fieldId', 'Custom Field ID', 'API name of the field', { typeOptions: { loadOptionsMethod: 'getFields' } }),
  text('value', 'Value', 'Value of the field', { acceptsList: true }),
]);

/** Properties of a record's fields. */
export function fieldProperties(names: readonly string[]): NodeProperty[] {
  const properties = names.map((name): NodeProperty => {
    const parts = addresses[name];
    if (parts) return addressProperty(name, parts);
    const field = `Field \`${name}\` of the record`;
    if (flags.has(name)) return toggle(name, title(name), `Whether ${name} is set`);
    if (numeric.has(name)) return number(name, title(name), 0, field);
    if (days.has(name)) return text(name, title(name), 'A date such as 2026-01-31', { type: 'dateTime' });
    return text(name, title(name), lookups.has(name) ? 'ID or name of the record' : field);
  });
  return [...properties, customFields];
}

const addressProperty = (name: string, parts: readonly string[]): NodeProperty =>
  list(
    name,
    title(name),
    'address_fields',
    parts.map((part) => text(part, title(part), title(part))),
    { typeOptions: {} },
  );

/** Fields of a record that a collection sets. */
export function recordIn(item: ServiceItem, path: string, own: ReadonlySet<string>): JsonObject {
  const { customFields: options, ...fields } = item.fields(path);
  const record: JsonObject = {};
  for (const [name, value] of Object.entries(fields)) {
    if (addresses[name]) Object.assign(record, filledFields(objectOf(objectOf(value)['address_fields'])));
    else if (numeric.has(name)) record[name] = item.number(`${path}.${name}`, 0);
    else if (flags.has(name)) record[name] = item.toggle(`${path}.${name}`);
    else record[name] = fieldValue(item, name, value, own);
  }
  for (const { fieldId = '', value = '' } of objectsOf(objectOf(options)['customFields']))
    if (asText(fieldId).trim() !== '') record[asText(fieldId).trim()] = value;
  return record;
}

/** A field as the API has it. `own`: fields with the name of the record itself. */
export function fieldValue(item: ServiceItem, name: string, value: JsonValue, own: ReadonlySet<string>): JsonValue {
  if (days.has(name)) return dayOf(item, name, value);
  if (!lookups.has(name) || own.has(name)) return typeof value === 'number' ? asText(value) : value;
  if (isJsonObject(value)) return value;
  const reference = asText(value).trim();
  return /^\d{1,30}$/.test(reference) ? { id: reference } : { name: reference };
}

/** Days have no time in Zoho. */
function dayOf(item: ServiceItem, name: string, value: JsonValue): string {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(asText(value).slice(0, 100)) ?? [];
  if (day !== undefined) return day;
  throw item.error(`the value of "${name}" is not a date`, 'Set it to a date such as 2026-01-31');
}

/** Products of an invoice, a quote, or an order. */
export const productDetails: NodeProperty = {
  displayName: 'Products',
  name: 'productDetails',
  type: 'json',
  default: [],
  description:
    'List of products: `[{ "id": "…", "quantity": 1, "list_price": 9.5 }]`; other members are fields of the line, such as `Discount`',
};

/** Other names of the members of a line. */
const lineNames: ReadonlyMap<string, string> = new Map([
  ['list_price', 'List_Price'],
  ['product_description', 'Description'],
  ['quantity', 'Quantity'],
]);

const lineNumbers: ReadonlySet<string> = new Set(['List_Price', 'Quantity']);

/** A member of a line. Expressions in JSON are text, which Zoho refuses for numbers. */
function lineMember(name: string, value: JsonValue): [string, JsonValue] {
  const isNumber = lineNumbers.has(name) && typeof value === 'string' && Number.isFinite(Number(value));
  return [name, isNumber ? Number(value) : value];
}

export function productLines(item: ServiceItem): JsonObject[] {
  return objectsOf(item.json('productDetails')).map(({ id, ...members }) => ({
    ...(id !== undefined && { Product_Name: { id: asText(id) } }),
    ...Object.fromEntries(
      Object.entries(filledFields(members)).map(([name, value]) => lineMember(lineNames.get(name) ?? name, value)),
    ),
  }));
}

export const additional = (fields: readonly NodeProperty[]): NodeProperty =>
  collection('additionalFields', 'Additional Fields', fields);
export const updated = (fields: readonly NodeProperty[]): NodeProperty => collection('updateFields', 'Update Fields', fields);
