; Runs inside the Windows installer and uninstaller. SHCTX is the current user's registry for an installation of one
; user, and the machine's for an installation of all users.

!macro customInstall
  WriteRegStr SHCTX "Software\Classes\counterfoil" "" "URL:Counterfoil"
  WriteRegStr SHCTX "Software\Classes\counterfoil" "URL Protocol" ""
  WriteRegStr SHCTX "Software\Classes\counterfoil\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHCTX "Software\Classes\counterfoil\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
!macroend

!macro customUnInstall
  ; Another installation may have taken the links over: only our own registration is removed.
  ReadRegStr $R0 SHCTX "Software\Classes\counterfoil\shell\open\command" ""
  StrCmp $R0 '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"' 0 +2
    DeleteRegKey SHCTX "Software\Classes\counterfoil"
!macroend
