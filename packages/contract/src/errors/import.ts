import { errorsOfArea } from './catalogue.ts';

/** `system/import` (contract/packages.md §6). */
export const importErrors = errorsOfArea('import', {
  noFile: {
    status: 400,
    message:
      'No import file supplied. Please upload a file or provide an URL of a file to import. Supported file type(s) is/are csv.',
  },
  wrongType: { status: 400, message: 'Unsupported file type. Supported types are csv' },
  severalFiles: { status: 400, message: 'Only a single file is allowed for import.' },
  tableExists: {
    status: 400,
    message: (p: { table: string }) => `Importing CSV data into existing DB table [${p.table}] is not supported.`,
  },
  noHeader: { status: 400, message: 'The uploaded CSV is empty. Its first row has to name the fields.' },
  numericHeader: {
    status: 400,
    message:
      'First row in the uploaded CSV contains numeric value and cannot be used as field name. Please make sure first row of your CSV file is the header row.',
  },
  emptyHeader: {
    status: 400,
    message: (p: { position: number }) => `Cell ${p.position} in the first row of the uploaded CSV names no field.`,
  },
  otherGroup: {
    status: 400,
    message: (p: { group: string }) =>
      `Importing resource(s) to service type group [${p.group}] is not currently supported.`,
  },
  notFetched: {
    status: 500,
    message: (p: { url: string; text: string }) => `Failed to import file from ${p.url}. ${p.text}`,
  },
  refused: {
    status: 400,
    message: (p: { record: number; text: string }) =>
      `Record ${p.record} of the uploaded CSV could not be inserted. ${p.text}`,
    hint: 'No table was made. Correct the record and import the file again.',
  },
  notTakenBack: {
    status: 500,
    message: (p: { table: string; text: string; problem: string }) =>
      `${p.text} Table '${p.table}' could not be dropped again. ${p.problem}`,
    hint: 'Drop the table and import the file again.',
  },
});
