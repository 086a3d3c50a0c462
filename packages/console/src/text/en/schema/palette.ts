/** What ⌘K offers of Schema. */
export const palette = {
  editTable: 'Edit table {{table}}',
  createTable: 'Create table in {{service}}',
  uploadJson: 'Upload schema JSON',
  note: 'Schema · {{service}}',
};
