import type { NodeProperty, NodePropertyGroup, NodePropertyOption } from '@sluice/node-sdk/display';

export function choicesOf({ options = [] }: Pick<NodeProperty, 'options'>): NodePropertyOption[] {
  return options.filter((option): option is NodePropertyOption => 'value' in option);
}

export function membersOf({ options = [] }: Pick<NodeProperty, 'options'>): NodeProperty[] {
  return options.filter((option): option is NodeProperty => 'type' in option);
}

export function groupsOf({ options = [] }: Pick<NodeProperty, 'options'>): NodePropertyGroup[] {
  return options.filter((option): option is NodePropertyGroup => 'values' in option);
}
