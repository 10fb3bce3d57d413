import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, number, options, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { apiFields, queryOf } from './field-values.ts';
import { listed, listProperties, metadata, ownMetadata, pathOf } from './woo-commerce-client.ts';

const types = choices(['simple', 'Simple'], ['grouped', 'Grouped'], ['external', 'External'], ['variable', 'Variable']);
const stockStatuses = choices(['instock', 'In Stock'], ['outofstock', 'Out of Stock'], ['onbackorder', 'On Backorder']);
const statuses = choices(['draft', 'Draft'], ['pending', 'Pending'], ['private', 'Private'], ['publish', 'Published']);
const categories = { typeOptions: { loadOptionsMethod: 'getCategories' } };
const tags = { typeOptions: { loadOptionsMethod: 'getTags' } };

const written: readonly NodeProperty[] = [
  choice('backorders', 'Backorders', choices(['no', 'No'], ['notify', 'Allow, and Notify'], ['yes', 'Allow'])),
  text('buttonText', 'Button Text', 'Text of the buy button of an external product'),
  choice(
    'catalogVisibility',
    'Catalog Visibility',
    choices(['visible', 'Visible'], ['catalog', 'Catalog'], ['search', 'Search'], ['hidden', 'Hidden']),
  ),
  names('categories', 'Category Names or IDs', 'IDs of the categories', categories),
  names('crossSellIds', 'Cross Sell IDs', 'IDs of products to show in the cart'),
  text('dateOnSaleFrom', 'Date On Sale From', 'Start of the sale', { type: 'dateTime' }),
  text('dateOnSaleTo', 'Date On Sale To', 'End of the sale', { type: 'dateTime' }),
  text('description', 'Description', 'Description as HTML'),
  toggle('downloadable', 'Downloadable', 'Whether the product is downloadable'),
  text('externalUrl', 'External URL', 'Address of an external product'),
  toggle('featured', 'Featured', 'Whether the product is featured'),
  toggle('manageStock', 'Manage Stock', 'Whether the shop counts the stock of the product'),
  number('menuOrder', 'Menu Order', 1, 'Position among products with the same rank'),
  text('parentId', 'Parent ID', 'ID of the parent product'),
  text('purchaseNote', 'Purchase Note', 'Text that customers receive after they buy the product'),
  text('regularPrice', 'Regular Price', 'Price, such as `21.99`'),
  toggle('reviewsAllowed', 'Reviews Allowed', 'Whether customers may write reviews'),
  text('salePrice', 'Sale Price', 'Reduced price, such as `19.99`'),
  text('shippingClass', 'Shipping Class', 'Slug of the shipping class'),
  text('shortDescription', 'Short Description', 'Short description as HTML'),
  text('sku', 'SKU', 'Stock keeping unit; each product has a different one'),
  text('slug', 'Slug', 'Last part of the address of the product'),
  toggle('soldIndividually', 'Sold Individually', 'Whether an order may contain only one'),
  choice('status', 'Status', statuses, { default: 'publish' }),
  number('stockQuantity', 'Stock Quantity', 1, 'Number of items in stock'),
  choice('stockStatus', 'Stock Status', stockStatuses),
  names('tags', 'Tag Names or IDs', 'IDs of the tags', tags),
  text('taxClass', 'Tax Class', 'Slug of the tax class'),
  choice('taxStatus', 'Tax Status', choices(['taxable', 'Taxable'], ['shipping', 'Shipping'], ['none', 'None'])),
  choice('type', 'Type', types),
  names('upsellIds', 'Upsell IDs', 'IDs of products to recommend'),
  toggle('virtual', 'Virtual', 'Whether the product is not shipped'),
  text('weight', 'Weight', 'Weight in the unit of the shop'),
];
const parts: readonly NodeProperty[] = [
  list(
    'dimensionsUi',
    'Dimensions',
    'dimensionsValues',
    [
      text('height', 'Height', 'Height in the unit of the shop'),
      text('length', 'Length', 'Length in the unit of the shop'),
      text('width', 'Width', 'Width in the unit of the shop'),
    ],
    { typeOptions: {} },
  ),
  list('imagesUi', 'Images', 'imagesValues', [
    text('alt', 'Alt Text', 'Text for users who do not see the image'),
    text('name', 'Name', 'Name of the image'),
    text('src', 'Source', 'Address from which the shop downloads the image'),
  ]),
  metadata,
];
const productId = text('productId', 'Product ID', 'ID of the product', { required: true });

/** https://woocommerce.github.io/woocommerce-rest-api-docs/#products */
export const product: Resource = {
  displayName: 'Product',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a product',
      properties: [
        text('name', 'Name', 'Name of the product', { required: true }),
        collection('additionalFields', 'Additional Fields', written),
        ...parts,
      ],
      run: async (item) => {
        const json = { name: item.required('name'), ...(await productOf(item, 'additionalFields')) };
        return item.send({ path: '/products', json });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Moves a product to the trash',
      properties: [productId],
      run: (item) => item.send({ method: 'DELETE', path: pathOf(item, 'products', 'productId') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a product',
      properties: [productId],
      run: (item) => item.send({ path: pathOf(item, 'products', 'productId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists products, the newest first',
      properties: [
        ...listProperties,
        options([
          text('after', 'After', 'Only products created after this time', { type: 'dateTime' }),
          text('before', 'Before', 'Only products created before this time', { type: 'dateTime' }),
          text('category', 'Category Name or ID', 'ID of the category', categories),
          toggle('featured', 'Featured', 'Whether to return only products that are featured, or only others'),
          text('maxPrice', 'Max Price', 'Highest price'),
          text('minPrice', 'Min Price', 'Lowest price'),
          toggle('onSale', 'On Sale', 'Whether to return only products on sale, or only others'),
          choice('order', 'Order', choices(['asc', 'Ascending'], ['desc', 'Descending']), { default: 'desc' }),
          choice(
            'orderBy',
            'Order By',
            choices(
              ['date', 'Date'],
              ['id', 'ID'],
              ['include', 'Include'],
              ['modified', 'Modified'],
              ['popularity', 'Popularity'],
              ['price', 'Price'],
              ['rating', 'Rating'],
              ['slug', 'Slug'],
              ['title', 'Title'],
            ),
          ),
          text('search', 'Search', 'Text that the product contains'),
          text('shippingClass', 'Shipping Class', 'ID of the shipping class'),
          text('sku', 'SKU', 'Stock keeping units, separated by commas'),
          text('slug', 'Slug', 'Last part of the address of the product'),
          choice('status', 'Status', [{ value: 'any', name: 'Any' }, ...statuses]),
          choice('stockStatus', 'Stock Status', stockStatuses),
          text('tag', 'Tag Name or ID', 'ID of the tag', tags),
          text('taxClass', 'Tax Class', 'Slug of the tax class'),
          choice('type', 'Type', types),
        ]),
      ],
      run: async (item) => listed(item, '/products', await queryOf(item, 'options')),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a product; new images replace all of its images',
      properties: [
        productId,
        collection('updateFields', 'Update Fields', [text('name', 'Name', 'Name of the product'), ...written]),
        ...parts,
      ],
      run: async (item) => {
        const json = await productOf(item, 'updateFields');
        return item.send({ method: 'PUT', path: pathOf(item, 'products', 'productId'), json });
      },
    },
  },
};

async function productOf(item: ServiceItem, path: string): Promise<JsonObject> {
  const images: JsonObject[] = [];
  for (const entry of item.entries('imagesUi.imagesValues')) images.push(await apiFields(item, entry));
  const [size] = item.entries('dimensionsUi.dimensionsValues');
  return {
    ...(await apiFields(item, item.fields(path))),
    ...(size && { dimensions: await apiFields(item, size) }),
    ...(images.length > 0 && { images }),
    ...ownMetadata(item),
  };
}
