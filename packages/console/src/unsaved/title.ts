import { type EditorArea, sectionTexts, text } from '../text/index.ts';

/** What a form is called where its draft is offered: by keys of texts, so that it is read in the reader's language. */
export interface DraftTitle {
  key:
    | 'data:draftTitle'
    | 'editor:create'
    | 'editor:draftTitle'
    | 'files:draftTitle'
    | 'packages:draftTitle'
    | 'profile:title'
    | 'schema:draft.field'
    | 'schema:draft.newTable'
    | 'schema:draft.relation'
    | 'schema:draft.table'
    | 'schema:paste.title'
    | 'schema:upload.title';
  values?: Readonly<Record<string, string>>;
  /** The section of an editor, which says what its `thing` is. */
  area?: EditorArea;
}

export const titleText = ({ key, values, area }: DraftTitle): string =>
  (text as (key: DraftTitle['key'], values: object) => string)(key, {
    ...values,
    ...(area && { thing: sectionTexts(area).thing }),
  });
