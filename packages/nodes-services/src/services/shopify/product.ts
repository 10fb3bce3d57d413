import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, number, text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { joined, listed, listProperties, pathOf, queryOf, sendFor, snakeFields } from './shopify-client.ts';

const productId = text('productId', 'Product ID', 'ID of the product', { required: true });
const title = text('title', 'Title', 'Name of the product');
const fieldsOption = names('fields', 'Fields', 'Names of the fields to return');
const scopes = choices(['global', 'Global'], ['web', 'Web']);
const statuses = choices(['active', 'Active'], ['archived', 'Archived'], ['draft', 'Draft']);

const written: readonly NodeProperty[] = [
  text('body_html', 'Body HTML', 'Description of the product, as HTML', { typeOptions: { rows: 4 } }),
  text('handle', 'Handle', 'Name in the address of the product'),
  collection(
    'images',
    'Images',
    [
      text('alt', 'Alternative Text', 'Text in place of the image'),
      text('created_at', 'Created At', 'Not used: Shopify sets it'),
      text('id', 'ID', 'ID of an image that the product has'),
      number('position', 'Position', 1, 'Position in the list of images'),
      text('product_id', 'Product ID', 'Not used: Shopify knows the product'),
      text('src', 'Source', 'Address that Shopify downloads the image from'),
      text('updated_at', 'Updated At', 'Not used: Shopify sets it'),
      names('variant_ids', 'Variant IDs', 'IDs of variants that the image shows'),
    ],
    { typeOptions: { multipleValues: true } },
  ),
  list('productOptions', 'Options', 'option', [
    text('name', 'Name', 'Name of the option, such as `Size`'),
    names('value', 'Value', 'Values of the option, such as `S,M,L`'),
  ]),
  text('product_type', 'Product Type', 'Category of the product'),
  text('published_at', 'Published At', 'Time at which the product is published'),
  choice('published_scope', 'Published Scope', scopes),
  choice('status', 'Status', statuses),
  names('tags', 'Tags', 'Tags of the product'),
  text('template_suffix', 'Template Suffix', 'End of the name of the template'),
  text('vendor', 'Vendor', 'Vendor of the product'),
];

/** https://shopify.dev/docs/api/admin-rest/latest/resources/product */
export const product: Resource = {
  displayName: 'Product',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a product',
      properties: [{ ...title, required: true }, collection('additionalFields', 'Additional Fields', written)],
      run: (item) => {
        const json = { product: { title: item.required('title'), ...productOf(item, 'additionalFields') } };
        return sendFor(item, { path: '/products.json', json }, 'product');
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a product',
      properties: [productId],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, 'products', 'productId') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a product',
      properties: [productId, collection('additionalFields', 'Additional Fields', [fieldsOption])],
      run: async (item) => {
        const request = { path: pathOf(item, 'products', 'productId'), query: await queryOf(item, 'additionalFields') };
        return sendFor(item, request, 'product');
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists products',
      properties: [
        ...listProperties,
        collection('additionalFields', 'Additional Fields', [
          text('collection_id', 'Collection ID', 'Only products of this collection'),
          text('created_at_max', 'Created At Max', 'Only products that were created before this time'),
          text('created_at_min', 'Created At Min', 'Only products that were created after this time'),
          fieldsOption,
          names('handle', 'Handle', 'Only products with these handles'),
          names('ids', 'IDs', 'Only products with these IDs'),
          text('presentment_currencies', 'Presentment Currencies', 'Currencies of the prices, separated by commas'),
          text('product_type', 'Product Type', 'Only products of this type'),
          text('published_at_max', 'Published At Max', 'Only products that were published before this time'),
          text('published_at_min', 'Published At Min', 'Only products that were published after this time'),
          choice(
            'published_status',
            'Published Status',
            choices(['any', 'Any'], ['published', 'Published'], ['unpublished', 'Unpublished']),
          ),
          text('since_id', 'Since ID', 'Only products after this ID'),
          choice('status', 'Status', statuses),
          { ...title, description: 'Only products with this title' },
          text('updated_at_max', 'Updated At Max', 'Only products that changed before this time'),
          text('updated_at_min', 'Updated At Min', 'Only products that changed after this time'),
          text('vendor', 'Vendor', 'Only products of this vendor'),
        ]),
      ],
      run: async (item) => listed(item, 'products', await queryOf(item, 'additionalFields')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a product',
      properties: [productId, collection('updateFields', 'Update Fields', [...written, title])],
      run: (item) => {
        const json = { product: productOf(item, 'updateFields') };
        return sendFor(item, { method: 'PUT', path: pathOf(item, 'products', 'productId'), json }, 'product');
      },
    },
  },
};

function productOf(item: ServiceItem, path: string): JsonObject {
  const { images: _, productOptions, ...members } = item.fields(path);
  const images = item.entries(`${path}.images`).map(imageOf);
  const choicesOf = productOptions === undefined ? [] : item.entries(`${path}.productOptions.option`).map(optionOf);
  return {
    ...Object.fromEntries(Object.entries(members).map(([name, value]) => [name, joined(value)])),
    ...(images.length > 0 && { images }),
    ...(choicesOf.length > 0 && { options: choicesOf }),
  };
}

/** Shopify sets these members itself. */
function imageOf({
  created_at: _c,
  updated_at: _u,
  product_id: _p,
  variant_ids: variants = null,
  ...image
}: JsonObject): JsonObject {
  const ids = partsOf(variants).map(Number);
  return { ...snakeFields(image), ...(ids.length > 0 && { variant_ids: ids }) };
}

function optionOf({ name = '', value = null }: JsonObject): JsonObject {
  return { name, values: partsOf(value) };
}

/** Elements of a list, or of comma-separated text. */
function partsOf(value: JsonObject[string]): string[] {
  const parts = Array.isArray(value) ? value : asText(value ?? '').split(',');
  return parts.map((part) => asText(part ?? '').trim()).filter((part) => part !== '');
}
