import { ApiError, api, currentSession, updateSession } from '../../api/index.ts';

/** What one may change about oneself (contract/sessions-and-accounts.md §8). */
export interface Profile {
  username: string | null;
  email: string;
  first_name: string | null;
  last_name: string | null;
  name: string;
  phone: string | null;
  security_question: string | null;
  security_answer?: string;
  oauth_provider: string | null;
  adldap: string | null;
}

interface ChangeResponse {
  success: boolean;
  session_token?: string;
}

/** Administrators and users have their own twins of these calls (PRO-009). */
const root = (): string => (currentSession()?.is_sys_admin ? 'system/admin' : 'user');

export const readProfile = (): Promise<Profile> => api.get<Profile>(`${root()}/profile`);

/** People from a directory or a provider have no password and no question here (PRO-003). */
export const isExternal = (profile: Profile): boolean => !!profile.adldap || !!profile.oauth_provider;

/** A change of password or e-mail answers a new token; the old one is dead at once (PRO-013). */
const storeToken = (response: ChangeResponse): void => {
  if (response.session_token) updateSession({ session_token: response.session_token });
};

/** Throws `PasswordSavedOnly` when the password was changed and the profile then was refused (PRO-017). */
export const saveProfile = async (profile: Profile, passwords: { old: string; new: string } | null): Promise<void> => {
  if (passwords) {
    storeToken(
      await api.post<ChangeResponse>(`${root()}/password`, {
        query: { reset: false, login: true },
        body: { old_password: passwords.old, new_password: passwords.new },
      }),
    );
  }
  try {
    storeToken(await api.put<ChangeResponse>(`${root()}/profile`, { query: { fields: '*' }, body: profile }));
  } catch (error) {
    if (passwords && error instanceof ApiError) throw new PasswordSavedOnly(error);
    throw error;
  }
  const { email, name, first_name, last_name } = profile;
  updateSession({ email, name, first_name, last_name });
};

export class PasswordSavedOnly extends Error {
  readonly profileError: ApiError;
  constructor(profileError: ApiError) {
    super(profileError.message, { cause: profileError });
    this.profileError = profileError;
  }
}
