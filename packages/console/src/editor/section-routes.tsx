import { Fragment, type ReactNode } from 'react';
import { Route, Routes, useParams } from 'react-router';
import { newRecord, recordIdOf } from './record-id.ts';

/** What the address says of an editor. */
export interface EditorRoute {
  /** Id of the record; null for a new one. */
  id: string | null;
  /** The part of the form that is shown. */
  tab: string;
}

interface SectionRoutesProps {
  list: ReactNode;
  /** The tab of an address that names none. */
  firstTab: string;
  editor: (route: EditorRoute) => ReactNode;
}

/** The addresses of a section: its list, and the editor of one record, which is mounted for each record separately. */
export const SectionRoutes = ({ list, ...opened }: SectionRoutesProps) => (
  <Routes>
    <Route index element={list} />
    <Route path=":id/:tab?" element={<OpenedRecord {...opened} />} />
  </Routes>
);

function OpenedRecord({ firstTab, editor }: Omit<SectionRoutesProps, 'list'>) {
  const { id = newRecord, tab = firstTab } = useParams();
  return <Fragment key={id}>{editor({ id: recordIdOf(id), tab })}</Fragment>;
}
