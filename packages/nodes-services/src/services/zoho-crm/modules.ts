import type { Module } from './module-resource.ts';

const priced = ['Adjustment', 'Billing_Address', 'Carrier', 'Currency', 'Description', 'Exchange_Rate', 'Owner'];
const sold = [...priced, 'Shipping_Address', 'Status', 'Terms_and_Conditions'];

/** Resource → its module: https://www.zoho.com/crm/developer/docs/api/v8/modules-api.html */
export const modules: Readonly<Record<string, Module>> = {
  account: {
    name: 'Accounts',
    displayName: 'Account',
    id: 'accountId',
    required: { accountName: 'Account_Name' },
    fields: [
      ...['Account_Number', 'Account_Site', 'Account_Type', 'Annual_Revenue', 'Billing_Address', 'Currency', 'Description'],
      ...['Employees', 'Exchange_Rate', 'Fax', 'Industry', 'Owner', 'Parent_Account', 'Phone', 'Shipping_Address'],
      ...['Ticker_Symbol', 'Website'],
    ],
  },
  contact: {
    name: 'Contacts',
    displayName: 'Contact',
    id: 'contactId',
    required: { lastName: 'Last_Name' },
    fields: [
      ...['Account_Name', 'Assistant', 'Asst_Phone', 'Currency', 'Date_of_Birth', 'Department', 'Description', 'Email'],
      ...['Email_Opt_Out', 'Fax', 'First_Name', 'Full_Name', 'Home_Phone', 'Lead_Source', 'Mailing_Address', 'Mobile'],
      ...['Other_Address', 'Other_Phone', 'Owner', 'Phone', 'Salutation', 'Secondary_Email', 'Skype_ID', 'Title', 'Twitter'],
    ],
  },
  deal: {
    name: 'Deals',
    displayName: 'Deal',
    id: 'dealId',
    required: { dealName: 'Deal_Name', stage: 'Stage' },
    fields: [
      ...['Account_Name', 'Amount', 'Campaign_Source', 'Closing_Date', 'Contact_Name', 'Currency', 'Description'],
      ...['Lead_Conversion_Time', 'Lead_Source', 'Next_Step', 'Overall_Sales_Duration', 'Owner', 'Pipeline', 'Probability'],
      ...['Sales_Cycle_Duration', 'Type'],
    ],
  },
  invoice: {
    name: 'Invoices',
    displayName: 'Invoice',
    id: 'invoiceId',
    required: { subject: 'Subject' },
    fields: ['Account_Name', 'Due_Date', 'Invoice_Date', 'Invoice_Number', 'Sales_Commission', 'Sales_Order', ...sold],
    lines: 'Invoiced_Items',
  },
  lead: {
    name: 'Leads',
    displayName: 'Lead',
    id: 'leadId',
    required: { Company: 'Company', lastName: 'Last_Name' },
    fields: [
      ...['Address', 'Annual_Revenue', 'Currency', 'Description', 'Designation', 'Email', 'Email_Opt_Out', 'Fax'],
      ...['First_Name', 'Full_Name', 'Industry', 'Industry_Type', 'Lead_Source', 'Lead_Status', 'Mobile'],
      ...['No_of_Employees', 'Owner', 'Phone', 'Rating', 'Salutation', 'Secondary_Email', 'Skype_ID', 'Twitter', 'Website'],
    ],
  },
  product: {
    name: 'Products',
    displayName: 'Product',
    id: 'productId',
    required: { productName: 'Product_Name' },
    fields: [
      ...['Commission_Rate', 'Description', 'Manufacturer', 'Owner', 'Product_Active', 'Product_Category', 'Product_Code'],
      ...['Qty_in_Demand', 'Qty_in_Stock', 'Qty_Ordered', 'Sales_End_Date', 'Sales_Start_Date', 'Support_Expiry_Date'],
      ...['Support_Start_Date', 'Taxable', 'Unit_Price', 'Usage_Unit', 'Vendor_Name'],
    ],
  },
  purchaseOrder: {
    name: 'Purchase_Orders',
    displayName: 'Purchase Order',
    id: 'purchaseOrderId',
    required: { subject: 'Subject', vendorId: 'Vendor_Name' },
    fields: [...sold, 'Contact_Name', 'Due_Date', 'Excise_Duty', 'PO_Date', 'PO_Number', 'Requisition_No', 'Tracking_Number'],
    lines: 'Purchase_Items',
  },
  quote: {
    name: 'Quotes',
    displayName: 'Quote',
    id: 'quoteId',
    required: { subject: 'Subject' },
    fields: [
      ...['Account_Name', 'Contact_Name', 'Deal_Name', 'Quote_Stage', 'Shipping_Address', 'Team', 'Terms_and_Conditions'],
      ...['Valid_Till', ...priced],
    ],
    lines: 'Quoted_Items',
  },
  salesOrder: {
    name: 'Sales_Orders',
    displayName: 'Sales Order',
    id: 'salesOrderId',
    required: { accountId: 'Account_Name', subject: 'Subject' },
    fields: [
      ...sold,
      ...['Contact_Name', 'Customer_No', 'Deal_Name', 'Due_Date', 'Excise_Duty', 'Pending', 'Purchase_Order', 'Quote_Name'],
      ...['Sales_Commission', 'SO_Number'],
    ],
    lines: 'Ordered_Items',
  },
  vendor: {
    name: 'Vendors',
    displayName: 'Vendor',
    id: 'vendorId',
    required: { vendorName: 'Vendor_Name' },
    fields: ['Address', 'Category', 'Currency', 'Description', 'Email', 'Owner', 'Phone', 'Website'],
  },
};
