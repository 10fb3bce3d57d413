import type { NodePropertyOption } from '@sluice/node-sdk';

/** https://baserow.io/docs/apis/rest-api: filters of views */
const names = [
  ...['equal', 'not_equal', 'contains', 'contains_not', 'contains_word', 'doesnt_contain_word', 'empty', 'not_empty'],
  ...['higher_than', 'higher_than_or_equal', 'lower_than', 'lower_than_or_equal', 'is_even_and_whole', 'boolean'],
  ...['date_is', 'date_is_not', 'date_is_before', 'date_is_on_or_before', 'date_is_after', 'date_is_on_or_after'],
  ...['date_is_within', 'date_equal', 'date_not_equal', 'date_equals_today', 'date_before_today', 'date_after_today'],
  ...['date_within_days', 'date_within_weeks', 'date_within_months', 'date_equals_days_ago', 'date_equals_months_ago'],
  ...['date_equals_years_ago', 'date_equals_week', 'date_equals_month', 'date_equals_year', 'date_equals_day_of_month'],
  ...['date_before', 'date_before_or_equal', 'date_after', 'date_after_or_equal', 'date_after_days_ago'],
  ...['filename_contains', 'has_file_type', 'files_lower_than', 'length_is_lower_than', 'link_row_has', 'link_row_has_not'],
  ...['link_row_contains', 'link_row_not_contains', 'single_select_equal', 'single_select_not_equal'],
  ...['single_select_is_any_of', 'single_select_is_none_of', 'multiple_select_has', 'multiple_select_has_not'],
  ...['multiple_collaborators_has', 'multiple_collaborators_has_not', 'user_is', 'user_is_not'],
];

export const filterOperators: readonly NodePropertyOption[] = names.map((value) => ({ value, name: value }));
