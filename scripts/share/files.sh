# What is installed beside the programs, and where: sourced by scripts/install and scripts/package, which say
# with `put MODE NAME [FILE]` what becomes of a file or of standard input. Needs: built (the folder of the
# programs), prefix (where they will be), zsh and units (the folders of the completions of zsh and of
# systemd's user units).
put 755 bin/jmix "$built/jmix"
put 755 bin/jmixctl "$built/jmixctl"
"$built/jmix" manual | put 644 share/man/man1/jmix.1
"$built/jmixctl" help man | put 644 share/man/man1/jmixctl.1
# It is read, not run.
"$built/jmix" --generate-completion-script bash | sed '1{/^#!/d}' |
    put 644 share/bash-completion/completions/jmix
"$built/jmix" --generate-completion-script zsh | put 644 "$zsh/_jmix"
"$built/jmix" --generate-completion-script fish | put 644 share/fish/vendor_completions.d/jmix.fish
put 644 share/bash-completion/completions/jmixctl scripts/share/jmixctl.bash
put 644 "$zsh/_jmixctl" scripts/share/_jmixctl
put 644 share/fish/vendor_completions.d/jmixctl.fish scripts/share/jmixctl.fish
sed "s|@PREFIX@|$prefix|" scripts/share/jmix.desktop | put 644 share/applications/jmix.desktop
sed "s|@PREFIX@|$prefix|" scripts/share/jmix.service | put 644 "$units/jmix.service"
sed "s|@PREFIX@|$prefix|" scripts/share/jmix@.service | put 644 "$units/jmix@.service"
put 644 share/mime/packages/jmix.xml scripts/share/jmix.xml
