/** Sign-in: by key, or by the one-use code in the fragment, which no log and no referrer sees. */
import { useEffect, useState } from 'react';
import { Problem } from '../shared/api';
import { ProblemView, useReady, useTitle } from '../shared/parts';
import { decoded, navigate, usePlace } from '../shared/router';
import { signIn, SignInForm, useSigned } from '../shared/session';
import { w } from '../shared/words';

function wayBack(query: URLSearchParams): string {
  const back = query.get('back') ?? '/';
  return back.startsWith('/') && !back.startsWith('//') ? back : '/';
}

export function SignIn(): JSX.Element {
  const place = usePlace();
  const { state } = useSigned();
  const code = /(?:^|&)code=([^&]+)/.exec(place.hash)?.[1];
  const [problem, setProblem] = useState<Problem>();
  const [isTrying, setTrying] = useState(!!code);
  useTitle(w.signIn);
  useReady(!isTrying);
  useEffect(() => {
    if (!code) return;
    history.replaceState(null, '', location.pathname + location.search);
    signIn({ code: decoded(code) }).then(() => navigate(wayBack(place.query), { replace: true }), (error) => {
      setTrying(false);
      if (error instanceof Problem) setProblem(error); else throw error;
    });
  }, []);
  useEffect(() => { if (state === 'in' && !isTrying) navigate(wayBack(place.query), { replace: true }); }, [state, isTrying]);
  return (
    <main className="sign-in-page">
      <h1><span className="logo" aria-hidden="true" />parley</h1>
      {isTrying ? <p role="status">{w.signingIn}</p> : (
        <>
          {problem && (problem.status === 401
            ? <p className="problem" role="alert" data-part="problem" data-status="401">{w.codeUsed}</p>
            : <ProblemView problem={problem} />)}
          <SignInForm />
        </>
      )}
    </main>
  );
}
