// A list with search, pages and an edit, behind a sign-in: all calls and their types come from the generated client.
import { type FormEvent, useEffect, useState } from 'react';
import {
  contains,
  createClient,
  type Page,
  type Records,
  type Row,
  type Session,
  type SluiceError,
  safe,
} from './sluice.ts';

const pageSize = 10;

type City = Row<
  Records['cities.part'],
  'id' | 'name' | 'population',
  { countries_by_country_code: { fields: readonly ['name'] } }
>;

/** The session is in memory alone: a page that is loaded again asks for the password again. */
let onSession: (session: Session | undefined) => void = () => {};
const sluice = createClient({
  address: location.origin,
  key: import.meta.env.VITE_SLUICE_KEY as string | undefined,
  onSession: (session) => onSession(session),
});
const { cities } = sluice.databases.world;

export function App() {
  const [session, setSession] = useState(sluice.session);
  useEffect(() => {
    onSession = setSession;
  }, []);
  return (
    <main>
      <header>
        <h1>Cities</h1>
        {session && (
          <button type="button" title={session.email} onClick={() => void safe(sluice.signOut())}>
            Sign out
          </button>
        )}
      </header>
      {session ? <Cities /> : <SignIn />}
    </main>
  );
}

function SignIn() {
  const [error, setError] = useState<SluiceError>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const credentials = { email: String(form.get('email')), password: String(form.get('password')) };
    const administrator = form.get('administrator') === 'on';
    setError((await safe(sluice.signIn({ ...credentials, administrator }))).error);
  };
  return (
    <form onSubmit={submit}>
      <label>
        Email <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <label>
        <input name="administrator" type="checkbox" /> as an administrator
      </label>
      <button type="submit">Sign in</button>
      <Failure error={error} />
    </form>
  );
}

function Cities() {
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const [page, setPage] = useState<Page<City>>();
  const [error, setError] = useState<SluiceError>();

  useEffect(() => {
    // An answer that another search has overtaken is of no use.
    const aborter = new AbortController();
    const load = cities.list({
      fields: ['id', 'name', 'population'],
      related: { countries_by_country_code: { fields: ['name'] } },
      ...(search ? { filter: contains('name', search) } : {}),
      order: ['name'],
      limit: pageSize,
      offset,
      count: true,
      signal: aborter.signal,
    });
    void safe(load).then(({ data, error }) => {
      if (aborter.signal.aborted) return;
      setError(error);
      if (data) setPage(data);
    });
    return () => aborter.abort();
  }, [search, offset]);

  const savePopulation = async (city: City, population: number | null) => {
    const { error } = await safe(cities.update(city.id, { population }));
    setError(error);
    if (error) return;
    const records = page?.records.map((row) => (row.id === city.id ? { ...row, population } : row)) ?? [];
    setPage((page) => page && { ...page, records });
  };
  const searchFor = (text: string) => {
    setSearch(text);
    setOffset(0);
  };

  return (
    <>
      <form onSubmit={(event) => event.preventDefault()}>
        <label>
          Name contains <input type="search" value={search} onChange={(event) => searchFor(event.target.value)} />
        </label>
      </form>
      <Failure error={error} />
      <table>
        <thead>
          <tr>
            <th>Name</th>
            <th>Country</th>
            <th>Population</th>
          </tr>
        </thead>
        <tbody>
          {page?.records.map((city) => (
            <tr key={city.id}>
              <td>{city.name}</td>
              <td>{city.countries_by_country_code?.name}</td>
              <td>
                <Population city={city} save={savePopulation} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <footer>
        <button type="button" disabled={offset === 0} onClick={() => setOffset(offset - pageSize)}>
          Back
        </button>
        <button type="button" disabled={page?.next === undefined} onClick={() => setOffset(offset + pageSize)}>
          Next
        </button>
        {page && `${page.count} cities`}
      </footer>
    </>
  );
}

/** A number that is edited in place, and saved when it is left. */
function Population({ city, save }: { city: City; save(city: City, population: number | null): Promise<void> }) {
  const [text, setText] = useState<string>();
  const shown = text ?? String(city.population ?? '');
  const leave = async () => {
    if (text === undefined) return;
    const population = text.trim() === '' ? null : Number(text);
    if (population !== city.population) await save(city, population);
    setText(undefined);
  };
  return (
    <input
      aria-label={`Population of ${city.name}`}
      inputMode="numeric"
      value={shown}
      onChange={(event) => setText(event.target.value.replace(/\D/g, ''))}
      onBlur={leave}
    />
  );
}

const Failure = ({ error }: { error: SluiceError | undefined }) => error && <p role="alert">{error.message}</p>;
