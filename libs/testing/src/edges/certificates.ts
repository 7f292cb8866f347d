// Certificates for tests alone, good for a hundred years: an authority, an agent at 127.0.0.1, a watcher, and another's key.
// Whoever reads this has their keys: nothing but a test may believe them.

/** The authority of both certificates. */
export const testAuthority = `-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIUCqSmkWhX9dPECNlxyKHg2tRG2jowCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwORHVld2F0Y2ggdGVzdHMwIBcNMjYxMTMwMTEyMjIwWhgPMjEy
NjExMDYxMTIyMjBaMBkxFzAVBgNVBAMMDkR1ZXdhdGNoIHRlc3RzMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE5o0W+PQ9neuYR/zqKUdvVWL2Vi+xx/z5lgYnIcXr
/mKoDeEW3JLTTGUB74R6dqLgyL/PVkQZ6twuSneqXP91lqNTMFEwHQYDVR0OBBYE
FHdSqqpcOe7CYQsuwQqGccblDjFKMB8GA1UdIwQYMBaAFHdSqqpcOe7CYQsuwQqG
ccblDjFKMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAMDt9tG3
wJMvqqzkJyNsAxJLeJ84EVKWr5b4MlZJPjYhAiAFTQE2OmiKZcemOoSErflf836V
a1OMVNBqLYtwMUi9pA==
-----END CERTIFICATE-----
`;

/** A server's, for 127.0.0.1 and localhost. */
export const agentIdentity = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBijCCATGgAwIBAgIUXRJI5WVQdu4OPL6KGBrk9qn91W4wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwORHVld2F0Y2ggdGVzdHMwIBcNMjYxMTMwMTEyMjIwWhgPMjEy
NjExMDYxMTIyMjBaMBAxDjAMBgNVBAMMBWFnZW50MFkwEwYHKoZIzj0CAQYIKoZI
zj0DAQcDQgAEUDToJU/wEdv5EHq9KcHwpCX9Z7pi22trwYWVLV2HIyAAUaPsc+Fr
juYjHqJS6Ckd8UXx8R3DYzfPv9oxUt+W/aNeMFwwGgYDVR0RBBMwEYcEfwAAAYIJ
bG9jYWxob3N0MB0GA1UdDgQWBBS9aGhpf1vobWa9fkp6tCMM9R/KeDAfBgNVHSME
GDAWgBR3UqqqXDnuwmELLsEKhnHG5Q4xSjAKBggqhkjOPQQDAgNHADBEAiB+h31a
WpxTdKOmfRS6uRKNIC/9hbMSStRiz8kMF127AAIgOkM7Z1t9Ov7wKVp1kf2eTCsQ
F7tQD+8mIsWeRG2m7bI=
-----END CERTIFICATE-----
`,
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggedWdOi6em6R1ymg
f8fwXQZnsKv0ECBqX1F/Ff19pe+hRANCAARQNOglT/AR2/kQer0pwfCkJf1numLb
a2vBhZUtXYcjIABRo+xz4WuO5iMeolLoKR3xRfHxHcNjN8+/2jFS35b9
-----END PRIVATE KEY-----
`,
} as const;

/** A client's. */
export const watcherIdentity = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBhzCCASygAwIBAgIUXRJI5WVQdu4OPL6KGBrk9qn91W8wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwORHVld2F0Y2ggdGVzdHMwIBcNMjYxMTMwMTEyMjIwWhgPMjEy
NjExMDYxMTIyMjBaMBIxEDAOBgNVBAMMB3dhdGNoZXIwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAASeQ8y5WPfMuk0pDK4EAorTIdKKIaaHeJCHR2+pvRvKp2VqtsJh
1pdiaRU+YyRGvNr2jo9HmPvZOOmArukmU+uGo1cwVTATBgNVHSUEDDAKBggrBgEF
BQcDAjAdBgNVHQ4EFgQUIzynrcnHSJTvHj4dzGkI9IKmOhUwHwYDVR0jBBgwFoAU
d1Kqqlw57sJhCy7BCoZxxuUOMUowCgYIKoZIzj0EAwIDSQAwRgIhAIBPoSkCHlfj
xbtkrHTioYYEZ/uJcz8001KF0teLxPOEAiEAmOS6Moklms2W6FeoLZQvmjIlXzUz
FTx1VR/Q6goJvRA=
-----END CERTIFICATE-----
`,
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ/WH0Gtl4HWX7H9k
ZIWCYxbac728/CWNhESJ132Jup+hRANCAASeQ8y5WPfMuk0pDK4EAorTIdKKIaaH
eJCHR2+pvRvKp2VqtsJh1pdiaRU+YyRGvNr2jo9HmPvZOOmArukmU+uG
-----END PRIVATE KEY-----
`,
} as const;

/** A key of none of these certificates. */
export const strayKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgVDUjtNVgpscnuKmq
yUiP62Yf/dWrHF/ehgnDhf0j6sihRANCAAQXDmSIboH/UrCaetXTnWewSmgxkPMU
/S6quZKFukxNhv0uws7w7yvqqKMa8k/bXt1eTtLDfWY9oKylOp/sXo6h
-----END PRIVATE KEY-----
`;
