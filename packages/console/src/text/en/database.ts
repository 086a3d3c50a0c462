// Words that the screens on databases share: the picker of tables, the pane at the edge.

export const database = {
  findTable: 'Find a table',
  tables: 'Tables',
  tablesShown_one: '{{tables}} table',
  tablesShown_other: '{{tables}} tables',
  noTableMatch: 'No table has “{{words}}” in its name.',
  noTables: 'This database has no tables',
  close: 'Close',
  clearSearch: 'Clear the search',
  retry: 'Read the tables again',
  resizePicker: 'Resize the list of tables',
  resizePane: 'Resize the pane',
};
