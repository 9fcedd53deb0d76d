/*SU*/
/*MU*/
/*FB*/
/*CO*/
/*HF*/
