// Databases of Amazon Redshift as services: configured as PostgreSQL's are. docs/dialects.md says what was tried.
import { openRedshiftDatabase } from '@sluice/sql';
import { pgsqlType } from '../engines/pgsql-type.ts';

/** A database of an Amazon Redshift cluster as a REST API. */
export const redshift = pgsqlType({
  name: 'aws_redshift_db',
  label: 'AWS Redshift DB',
  description: 'Database service supporting AWS Redshift connections.',
  port: 5439,
  hasFixedSchema: true,
  open: openRedshiftDatabase,
});
